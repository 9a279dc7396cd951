# ethon, which finds libcurl with dlopen().
require 'ethon'
require_relative 'ask'

sink = sinks.first
easy = Ethon::Easy.new
if BODY.empty?
  easy.http_request(URL, :get)
else
  easy.http_request(URL, :post, body: BODY)
end
easy.on_body { |bytes, _| sink.call(bytes) ? bytes.bytesize : :abort }
code = easy.perform
exit code == :ok ? 0 : Ethon::Curl.easy_codes.index(code)
