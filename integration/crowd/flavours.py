"""One process with two flavours of libcurl: LLM BODY PLAIN.

Each asks LLM, first in turns and then both at once, and prints what came; then
speaks TLS to PLAIN, which does not: what a flavour says of that, only it says.
"""
import ctypes
import sys
import threading

LLM, BODY, PLAIN = sys.argv[1:4]
WRITE = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_size_t,
    ctypes.c_void_p,
)
OPT_URL, OPT_POSTFIELDS, OPT_ERRORBUFFER = 10002, 10015, 10010
OPT_WRITEFUNCTION, OPT_NOSIGNAL = 20011, 99


class Flavour:
    def __init__(self, library):
        self.name = library
        self.curl = ctypes.CDLL(library)
        self.curl.curl_easy_init.restype = ctypes.c_void_p
        self.curl.curl_version.restype = ctypes.c_char_p
        self.handle = ctypes.c_void_p(self.curl.curl_easy_init())

    def ask(self, url):
        """The code, the body and the error's text."""
        got = bytearray()

        @WRITE
        def write(data, size, count, _):
            got.extend(ctypes.string_at(data, size * count))
            return size * count

        text = ctypes.create_string_buffer(256)
        self.set(OPT_NOSIGNAL, ctypes.c_long(1))
        self.set(OPT_URL, url.encode())
        self.set(OPT_POSTFIELDS, BODY.encode())
        self.set(OPT_WRITEFUNCTION, write)
        self.set(OPT_ERRORBUFFER, text)
        code = self.curl.curl_easy_perform(self.handle)
        return code, bytes(got), text.value.decode()

    def set(self, option, value):
        self.curl.curl_easy_setopt(self.handle, option, value)


flavours = [Flavour("libcurl.so.4"), Flavour("libcurl-gnutls.so.4")]
for flavour in flavours:
    print(flavour.name, flavour.curl.curl_version().decode())

answers = {flavour.name: [flavour.ask(LLM)] for flavour in flavours}
threads = [
    threading.Thread(target=lambda f=f: answers[f.name].append(f.ask(LLM)))
    for f in flavours
]
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
for flavour in flavours:
    for code, body, _ in answers[flavour.name]:
        print(flavour.name, code, body)
    code, body, text = flavour.ask(PLAIN.replace("http:", "https:"))
    print(flavour.name, code, body, text)
