-- lua-curl's easy interface: URL BODY [LIMIT].
local curl = require("curl")
local left = tonumber(arg[3])

local function write(a, b) -- versions differ in what comes first
    local bytes = type(a) == "string" and a or b
    local taken = left and bytes:sub(1, left) or bytes
    io.write(taken)
    left = left and left - #taken
    return left == 0 and 0 or #bytes
end

local easy = curl.easy_init()
easy:setopt(curl.OPT_URL, arg[1])
if arg[2] ~= "" then
    easy:setopt(curl.OPT_POSTFIELDS, arg[2])
end
easy:setopt(curl.OPT_WRITEFUNCTION, write)
os.exit((easy:perform()))
