# curb's Curl::Easy, whose perform is a multi of its own.
require 'curb'
require_relative 'ask'

sink = sinks.first
easy = Curl::Easy.new(URL) do |curl|
  curl.on_body { |bytes| sink.call(bytes) ? bytes.bytesize : 0 }
end
begin
  BODY.empty? ? easy.http_get : easy.http_post(BODY)
rescue Curl::Err::CurlError => e
  warn e.message
  exit 1
end
