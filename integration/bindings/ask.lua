-- One request: arg[1] is the URL, arg[2] the body.
local curl = require("curl")

local function write(a, b) -- versions differ in what comes first
    local bytes = type(a) == "string" and a or b
    io.write(bytes)
    return #bytes
end

local easy = curl.easy_init()
easy:setopt(curl.OPT_URL, arg[1])
easy:setopt(curl.OPT_POSTFIELDS, arg[2])
easy:setopt(curl.OPT_WRITEFUNCTION, write)
easy:perform()
