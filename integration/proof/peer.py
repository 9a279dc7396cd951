#!/usr/bin/python3
"""A provider that wants its client to fail: peer.py says its port, and serves
each request by the deed in its query, `?deed=NAME&n=N`.  What a deed sends is
in its function below; every answer can be told from an error only by reading
it.  One thread a connection, closed after one answer."""

import socket
import sys
import threading
import time
import zlib
from urllib.parse import parse_qs, urlsplit

MIB = 1 << 20


def delta(text):
    return b'data: {"choices":[{"index":0,"delta":{"content":"' + text + \
        b'"}}]}\n\n'


DONE = b'data: {"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]}' \
    b'\n\ndata: [DONE]\n\n'


def head(more=b"", kind=b"text/event-stream"):
    return b"HTTP/1.1 200 OK\r\ncontent-type: " + kind + b"\r\n" \
        b"connection: close\r\n" + more + b"\r\n"


def healthy(n):
    yield head() + delta(b"healthy") * n + DONE


def slow_head(n):
    for byte in head():
        yield bytes([byte])
        time.sleep(n / 1000)
    yield delta(b"slow head") + DONE


def slow_body(n):
    yield head()
    for byte in delta(b"slow body") + DONE:
        yield bytes([byte])
        time.sleep(n / 1000)


def comments(n):
    """So many MiB of nothing, and an answer."""
    yield head()
    for _ in range(n):
        yield (b": " + b"x" * 1021 + b"\n") * 1024
    yield delta(b"after comments") + DONE


def line(n):
    """One line of so many MiB."""
    yield head() + b'data: {"choices":[{"index":0,"delta":{"content":"'
    for _ in range(n):
        yield b"y" * MIB
    yield b'"}}]}\n\n' + DONE


def text(n):
    """So many MiB of text, in sound frames."""
    yield head()
    frame = delta(b"z" * 900)
    for _ in range(n):
        yield frame * (MIB // len(frame))
    yield DONE


def events(n):
    """So many empty events of several kinds."""
    yield head()
    empty = b"data:\n\n\n\ndata: {}\n\nevent: x\n\ndata: null\n\n"
    for _ in range(n // 5 // 1000):
        yield empty * 1000
    yield delta(b"after events") + DONE


def bomb(n):
    """So many MiB, compressed to a thousandth."""
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    yield head(b"content-encoding: gzip\r\n")
    yield pack.compress(delta(b"before the bomb") + b"data: ")
    for _ in range(n):
        yield pack.compress(b"0" * MIB)
    yield pack.compress(b"\n\n" + DONE) + pack.flush()


def broken_gzip(n):
    pack = zlib.compressobj(9, zlib.DEFLATED, 31)
    whole = pack.compress(delta(b"gzip") * n + DONE) + pack.flush()
    yield head(b"content-encoding: gzip\r\n") + whole[: len(whole) // 2]
    yield b"\xff" * 64


def odd_text(n):
    """No UTF-8, NULs, half surrogates, escapes of nothing."""
    odd = (b"\xff\xfe", b"\xc3", b"\xed\xa0\x80", b"\xf8\x88\x80\x80\x80",
           b"\x00", b"\\ud800", b"\\udc00\\ud800", b"\\u00", b"\\x", b"\x1b[2J")
    yield head() + b"".join(delta(piece) for piece in odd) * n
    yield b"\x00" * 100 + b"\n\n" + delta(b"\x00" * 10) + DONE


def deep(n):
    """JSON as deep as a well."""
    yield head() + b"data: " + b"[" * n + b"\n\ndata: " + b'{"a":' * n + \
        b"\n\n" + delta(b"deep") + DONE


def odd_json(n):
    for piece in (b'data: {"choices":[]}\n\n',
                  b'data: {"choices":{"0":{"delta":{"content":"x"}}}}\n\n',
                  b'data: {"choices":[{"index":99999999999999999999,'
                  b'"delta":{"content":"x"}}]}\n\n',
                  b'data: {"choices":[{"index":-1,"delta":{"content":"x"}}]}'
                  b'\n\n',
                  b'data: {"choices":[{"delta":{"content":"a"},"delta":'
                  b'{"content":"b"}}]}\n\n',
                  b'data: {"choices":[{"delta":{"content":["x"]}}]}\n\n',
                  b'data: {"error":\n\n', b'data: 1e999999\n\n'):
        yield (head() if piece.endswith(b"[]}\n\n") else b"") + piece * n
    yield DONE


def places(n):
    """Choices, tools and types without end."""
    yield head()
    for i in range(n):
        yield (b'data: {"choices":[{"index":%d,"delta":{"tool_calls":[{"index":'
               b'%d,"id":"i%d","function":{"name":"f%d","arguments":"{}"}}]}}]}'
               b'\n\n' % (i, i, i, i))
    yield DONE


def chunked(rest):
    return b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" \
        b"transfer-encoding: chunked\r\n\r\n" + rest


def one_chunk(body):
    return b"%x\r\n" % len(body) + body + b"\r\n"


def chunk_cut(n):
    yield chunked(one_chunk(delta(b"cut")) * n + b"ffff\r\n" + delta(b"end"))


def chunk_size(n):
    yield chunked(one_chunk(delta(b"size")) * n + b"zz\r\nno size\r\n")


def chunk_huge(n):
    yield chunked(one_chunk(delta(b"huge")) * n + b"f" * 40 + b"\r\n")


def chunk_trailers(n):
    yield chunked(one_chunk(delta(b"trailer") + DONE) + b"0\r\n" +
                  b"x: y\r\n" * n + b"\r\n")


def short_length(n):
    yield b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" \
        b"content-length: 1000000\r\n\r\n" + delta(b"short") * n


def long_length(n):
    body = delta(b"long") * n
    yield b"HTTP/1.1 200 OK\r\ncontent-type: text/event-stream\r\n" \
        b"content-length: %d\r\n\r\n" % (len(body) - 30) + body


def headers(n):
    yield head(b"".join(b"x-%d: %s\r\n" % (i, b"h" * 200) for i in range(n)))
    yield delta(b"headers") + DONE


def long_header(n):
    yield head(b"x: " + b"h" * n + b"\r\n") + delta(b"header") + DONE


def informed(n):
    for _ in range(n):
        yield b"HTTP/1.1 103 Early Hints\r\nlink: </a>\r\n\r\n"
    yield head() + delta(b"informed") + DONE


def no_http(n):
    yield b"\x00\xff not http at all\n" * n


def old_http(n):
    yield b"HTTP/1.0 200 OK\n\n" + delta(b"old") * n + DONE


def types(n):
    """The type changes its mind."""
    yield head(b"content-type: application/json\r\n"
               b"content-type: application/x-ndjson\r\n")
    yield b'[{"a":1},\n' * n + delta(b"types") + DONE


EVENTS = (head(), delta(b"a"), DONE)
LINES = (head(kind=b"application/x-ndjson"),
         b'{"model":"m","message":{"role":"assistant","content":"a"},'
         b'"done":false}\n',
         b'{"model":"m","message":{"role":"assistant","content":""},'
         b'"done_reason":"stop","done":true}\n')
ARRAY = (head(kind=b"application/json") + b"[",
         b'{"candidates":[{"content":{"parts":[{"text":"a"}],"role":"model"}'
         b'}]},',
         b'{"candidates":[{"content":{"parts":[{"text":"b"}],"role":"model"},'
         b'"finishReason":"STOP"}]}]')

# What a stream says over and over, and what makes a frame of that.
ENDLESS = {
    "lf": (EVENTS, b"", b"\n", b""),
    "crlf": (EVENTS, b"", b"\r\n", b""),
    "cr": (EVENTS, b"", b"\r", b""),
    "space": (EVENTS, b"", b" ", b"\n\n"),
    "comment_lf": (EVENTS, b"", b": x\n", b"\n"),
    "comment_crlf": (EVENTS, b"", b": x\r\n", b"\r\n"),
    "comment_events": (EVENTS, b"", b": x\n\n", b""),
    "data_lines": (EVENTS, b"", b"data:\n", b"\n"),
    "data_events": (EVENTS, b"", b"data:\n\n", b""),
    "data_spaces": (EVENTS, b"data: ", b" ", b"\n\n"),
    "lines_lf": (LINES, b"", b"\n", b""),
    "lines_crlf": (LINES, b"", b"\r\n", b""),
    "lines_space": (LINES, b"", b" ", b"\n"),
    "array_lf": (ARRAY, b"", b"\n", b""),
    "array_crlf": (ARRAY, b"", b"\r\n", b""),
    "array_space": (ARRAY, b"", b" ", b""),
}


def endless(name, first):
    """So many kB of it, behind a token, or before anything else."""
    (top, token, end), begin, unit, close = ENDLESS[name]

    def deed(n):
        body = begin + unit * (n * 1000 // len(unit)) + close
        yield top + (token + body if first else body + token) + end
    return deed


DEEDS = {deed.__name__: deed for deed in (
    healthy, slow_head, slow_body, comments, line, text, events, bomb,
    broken_gzip, odd_text, deep, odd_json, places, chunk_cut, chunk_size,
    chunk_huge, chunk_trailers, short_length, long_length, headers,
    long_header, informed, no_http, old_http, types)}
for _name in ENDLESS:
    DEEDS["first_" + _name] = endless(_name, False)
    DEEDS["then_" + _name] = endless(_name, True)


def request_of(conn):
    """The address that is asked for, once all of the request is there."""
    data = b""
    while b"\r\n\r\n" not in data:
        piece = conn.recv(65536)
        if not piece:
            return None
        data += piece
    top, _, body = data.partition(b"\r\n\r\n")
    for field in top.lower().split(b"\r\n"):
        if field.startswith(b"content-length:"):
            while len(body) < int(field[15:]):
                body += conn.recv(65536)
    return top.split()[1].decode()


def serve(conn):
    with conn:
        target = request_of(conn)
        if target is None:
            return
        query = parse_qs(urlsplit(target).query)
        deed = DEEDS[query["deed"][0]]
        try:
            for piece in deed(int(query.get("n", ["1"])[0])):
                conn.sendall(piece)
            conn.shutdown(socket.SHUT_WR)
            while conn.recv(65536):
                pass
        except OSError:
            pass  # it has had enough


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    print("listening on", "127.0.0.1:%d" % listener.getsockname()[1],
          flush=True)
    while True:
        conn, _ = listener.accept()
        conn.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        threading.Thread(target=serve, args=(conn,), daemon=True).start()


sys.exit(main())
