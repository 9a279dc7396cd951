#!/usr/bin/python3
"""A server that is nobody's friend, for the tests of P3.

    hostile.py LOG [--tls CERT KEY] [--unix PATH] [--proxy] DEED...

It writes every byte that it gets into LOG, with the client's certificate when
there is one, and does the next DEED for each request (the last one again and
again):

    echo            a stream that says back all that it was sent
    redirect=URL    307, with the same traps as all answers
    ask             401, and wants every kind of password
    silent          nothing

With --proxy it passes on what it is asked for, without what is the proxy's.
Every answer sets cookies, and speaks of other places (Alt-Svc, HSTS).
It says its port first.
"""

import json
import socket
import ssl
import sys
import threading

TRAPS = (
    "set-cookie: hostile=cookie; path=/\r\n"
    "alt-svc: h2=\"127.0.0.1:1\"; ma=3600\r\n"
    "strict-transport-security: max-age=3600\r\n"
    "www-authenticate: Basic realm=\"x\"\r\n"
    "www-authenticate: Digest realm=\"x\", nonce=\"n\", qop=\"auth\"\r\n"
    "www-authenticate: NTLM\r\n"
    "www-authenticate: Negotiate\r\n"
    "refresh: 0; url=http://127.0.0.1:1/\r\n"
)


def read_request(conn, log):
    """The head and the body of one request; None: there is none."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = conn.recv(65536)
        if not piece:
            return None
        log(piece)
        data += piece
    head, _, body = data.partition(b"\r\n\r\n")
    length = 0
    for line in head.split(b"\r\n"):
        if line.lower().startswith(b"content-length:"):
            length = int(line.split(b":")[1])
    while len(body) < length:
        piece = conn.recv(65536)
        log(piece)
        body += piece
    return head, body


def answer(status, headers, body):
    return (
        f"HTTP/1.1 {status}\r\n{TRAPS}{headers}"
        f"content-length: {len(body)}\r\nconnection: close\r\n\r\n{body}"
    ).encode()


def echo(head, body):
    said = (head + body).decode("latin-1")
    parts = [{"delta": {"content": said}, "index": 0}]
    done = [{"delta": {}, "index": 0, "finish_reason": "stop"}]
    text = "".join(
        f"data: {json.dumps({'choices': choices})}\n\n"
        for choices in (parts, done)
    )
    return answer(
        "200 OK", "content-type: text/event-stream\r\n",
        text + "data: [DONE]\n\n")


def do(deed, conn, head, body):
    if deed == "silent":
        conn.recv(1)
    elif deed == "ask":
        conn.sendall(answer("401 Who?", "", "{}"))
    elif deed.startswith("redirect="):
        conn.sendall(answer("307 There", f"location: {deed[9:]}\r\n", ""))
    else:
        conn.sendall(echo(head, body))


def pump(source, sink):
    while True:
        try:
            piece = source.recv(65536)
        except OSError:
            piece = b""
        if not piece:
            break
        sink.sendall(piece)
    sink.close()


def relay(conn, head, body):
    """As a proxy does: its own headers go no further."""
    method, target = head.split(b" ", 2)[:2]
    place = target if method == b"CONNECT" else target.split(b"/")[2]
    host, _, port = place.decode().partition(":")
    there = socket.create_connection((host, int(port)))
    threading.Thread(target=pump, args=(there, conn), daemon=True).start()
    if method == b"CONNECT":
        conn.sendall(b"HTTP/1.1 200 Go\r\n\r\n")
    else:
        lines = [line for line in head.split(b"\r\n")
                 if not line.lower().startswith(b"proxy-")]
        path = b"/" + target.split(b"/", 3)[3]
        lines[0] = method + b" " + path + b" HTTP/1.1"
        there.sendall(b"\r\n".join(lines) + b"\r\n\r\n" + body)
    pump(conn, there)


class Server:
    def __init__(self, options):
        self.log_file = open(options["log"], "ab", buffering=0)
        self.deeds = options["deeds"]
        self.options = options
        self.tls = None
        if options["tls"]:
            self.tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
            self.tls.load_cert_chain(*options["tls"])
            self.tls.load_verify_locations(options["tls"][0])
            self.tls.verify_mode = ssl.CERT_OPTIONAL

    def next_deed(self):
        return self.deeds.pop(0) if len(self.deeds) > 1 else self.deeds[0]

    def serve(self, conn):
        if self.tls:
            try:
                conn = self.tls.wrap_socket(conn, server_side=True)
            except (ssl.SSLError, OSError):
                return
            if conn.getpeercert(True):
                self.log_file.write(b"CLIENT CERTIFICATE\n")
        request = read_request(conn, self.log_file.write)
        if request and self.options["proxy"]:
            relay(conn, *request)
        elif request:
            do(self.next_deed(), conn, *request)
        conn.close()

    def run(self):
        if self.options["unix"]:
            listener = socket.socket(socket.AF_UNIX)
            listener.bind(self.options["unix"])
        else:
            listener = socket.socket()
            listener.bind(("127.0.0.1", 0))
        listener.listen(16)
        name = listener.getsockname()
        print(name[1] if isinstance(name, tuple) else 0, flush=True)
        while True:
            conn, _ = listener.accept()
            threading.Thread(
                target=self.serve, args=(conn,), daemon=True).start()


def main(args):
    options = {"log": args.pop(0), "tls": None, "unix": None, "proxy": False}
    while args and args[0].startswith("--"):
        word = args.pop(0)
        if word == "--tls":
            options["tls"] = (args.pop(0), args.pop(0))
        elif word == "--unix":
            options["unix"] = args.pop(0)
        else:
            options["proxy"] = True
    options["deeds"] = args or ["echo"]
    Server(options).run()


main(sys.argv[1:])
