-- One request: arg[1] is the URL, arg[2] the body.  Without a binding.
local ffi = require("ffi")

ffi.cdef [[
    void *curl_easy_init(void);
    int curl_easy_setopt(void *easy, int option, ...);
    int curl_easy_perform(void *easy);
    int curl_easy_getinfo(void *easy, int info, ...);
    void curl_easy_cleanup(void *easy);
]]
local URL, COPYPOSTFIELDS = 10002, 10165 -- CURLOPT_*
local RESPONSE_CODE = 0x200002 -- CURLINFO_*

local libcurl = ffi.load("libcurl.so.4")
local easy = libcurl.curl_easy_init()
local status = ffi.new("long[1]")
libcurl.curl_easy_setopt(easy, URL, arg[1])
libcurl.curl_easy_setopt(easy, COPYPOSTFIELDS, arg[2])
libcurl.curl_easy_perform(easy)
libcurl.curl_easy_getinfo(easy, RESPONSE_CODE, status)
libcurl.curl_easy_cleanup(easy)
os.exit(status[0] == 200 and 0 or 1)
