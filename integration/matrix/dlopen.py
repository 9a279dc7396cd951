"""ctypes on a libcurl that dlopen() finds."""
import ctypes
import sys

from ask import BODY, URL, Printer

WRITE = ctypes.CFUNCTYPE(
    ctypes.c_size_t,
    ctypes.c_void_p,
    ctypes.c_size_t,
    ctypes.c_size_t,
    ctypes.c_void_p,
)
OPT_URL, OPT_POSTFIELDS, OPT_WRITEFUNCTION = 10002, 10015, 20011

curl = ctypes.CDLL("libcurl.so.4")
curl.curl_easy_init.restype = ctypes.c_void_p
printer = Printer()


@WRITE
def write(data, size, count, _):
    return printer.take(ctypes.string_at(data, size * count))


handle = ctypes.c_void_p(curl.curl_easy_init())
curl.curl_easy_setopt(handle, OPT_URL, URL.encode())
if BODY:
    curl.curl_easy_setopt(handle, OPT_POSTFIELDS, BODY.encode())
curl.curl_easy_setopt(handle, OPT_WRITEFUNCTION, write)
code = curl.curl_easy_perform(handle)
curl.curl_easy_cleanup(handle)
sys.stdout.flush()
sys.exit(code)
