# One request: ARGV[0] is the URL, ARGV[1] the body.
require "ethon"

easy = Ethon::Easy.new
easy.http_request(ARGV[0], :post, body: ARGV[1])
easy.perform
print easy.response_body
exit easy.response_code == 200
