-- LuaJIT's ffi on a libcurl that dlopen() finds: URL BODY [LIMIT].
local ffi = require("ffi")
ffi.cdef [[
    void *curl_easy_init(void);
    int curl_easy_setopt(void *, int, ...);
    int curl_easy_perform(void *);
    void curl_easy_cleanup(void *);
    typedef size_t (*write_function)(char *, size_t, size_t, void *);
]]
local OPT_URL, OPT_POSTFIELDS, OPT_WRITEFUNCTION = 10002, 10015, 20011
local curl = ffi.load("libcurl.so.4")
local left = tonumber(arg[3])

local function write(data, size, count)
    local bytes = ffi.string(data, size * count)
    local taken = left and bytes:sub(1, left) or bytes
    io.write(taken)
    left = left and left - #taken
    return left == 0 and 0 or #bytes
end

local function perform(easy)
    return curl.curl_easy_perform(easy)
end

jit.off(perform) -- a compiled call must not be called back from

local easy = curl.curl_easy_init()
curl.curl_easy_setopt(easy, OPT_URL, arg[1])
if arg[2] ~= "" then
    curl.curl_easy_setopt(easy, OPT_POSTFIELDS, arg[2])
end
local callback = ffi.cast("write_function", write)
curl.curl_easy_setopt(easy, OPT_WRITEFUNCTION, callback)
local code = perform(easy)
curl.curl_easy_cleanup(easy)
io.flush()
os.exit(code)
