# One request: sys.argv[1] is the URL, sys.argv[2] the body.  Without a binding.
import ctypes
import sys

URL, COPYPOSTFIELDS = 10002, 10165  # CURLOPT_*
RESPONSE_CODE = 0x200002  # CURLINFO_*

libcurl = ctypes.CDLL("libcurl.so.4")
libcurl.curl_easy_init.restype = ctypes.c_void_p
easy = ctypes.c_void_p(libcurl.curl_easy_init())
status = ctypes.c_long()
libcurl.curl_easy_setopt(easy, URL, sys.argv[1].encode())
libcurl.curl_easy_setopt(easy, COPYPOSTFIELDS, sys.argv[2].encode())
libcurl.curl_easy_perform(easy)
libcurl.curl_easy_getinfo(easy, RESPONSE_CODE, ctypes.byref(status))
libcurl.curl_easy_cleanup(easy)
sys.exit(status.value != 200)
