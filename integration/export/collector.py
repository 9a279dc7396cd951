#!/usr/bin/env python3
"""A collector of traces, for tests: collector.py LOG MODE [PORT]

Takes POST /v1/traces, judges each body by otlp.py, and writes a line of JSON
for each request to LOG.  The file MODE, read anew each time, says what it
answers: ok, a status, `partial N` (N spans rejected), `lost` (takes it and
says nothing), `max N` (413 for more than N calls), `error` (a status with a
message).  Prints its port when it listens.
"""
import http.server
import json
import sys

import otlp


class Collector(http.server.BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def log_message(self, *_):
        pass

    def do_POST(self):
        body = self.rfile.read(int(self.headers["content-length"]))
        mode, _, argument = open(sys.argv[2]).read().strip().partition(" ")
        document = json.loads(body)
        spans = otlp.spans_of(document)
        calls = sum("parentSpanId" not in s for s in spans)
        errors = otlp.errors_of(document)
        if self.path.split("?")[0] != "/v1/traces":
            errors.append("path: " + self.path)
        if self.headers["content-type"] != "application/json":
            errors.append("content-type")
        status, answer = self.answer(mode, argument, calls)
        with open(sys.argv[1], "a") as log:
            log.write(json.dumps({
                "status": status, "calls": calls, "bytes": len(body),
                "errors": errors, "headers": dict(self.headers),
                "path": self.path,
                "ids": sorted(s["traceId"] + s["spanId"] for s in spans),
                "uuids": [otlp.attributes_of(s)["unstall.uuid"]
                          for s in spans if "parentSpanId" not in s],
            }) + "\n")
        if status == 0:
            self.close_connection = True
            return
        self.send_response(status)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(answer)))
        self.end_headers()
        self.wfile.write(answer)

    def answer(self, mode, argument, calls):
        if mode == "partial":
            return 200, json.dumps({"partialSuccess": {
                "rejectedSpans": argument,
                "errorMessage": "too old"}}).encode()
        if mode == "lost":
            return 0, b""
        if mode == "max":
            return (413 if calls > int(argument) else 200), b"{}"
        if mode == "error":
            return 400, b'{"code": 3, "message": "no such tenant"}'
        if mode == "huge":
            return 200, b"{" + b" " * 300000 + b"}"
        return (200, b"{}") if mode == "ok" else (int(mode), b"")


def main():
    port = int(sys.argv[3]) if len(sys.argv) > 3 else 0
    server = http.server.ThreadingHTTPServer(("127.0.0.1", port), Collector)
    print(server.server_address[1], flush=True)
    server.serve_forever()


if __name__ == "__main__":
    main()
