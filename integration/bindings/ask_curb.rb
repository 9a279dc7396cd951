# One request: ARGV[0] is the URL, ARGV[1] the body.
require "curb"

curl = Curl::Easy.http_post(ARGV[0], ARGV[1])
print curl.body_str
exit curl.response_code == 200
