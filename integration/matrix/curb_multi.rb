# curb's Curl::Multi.
require 'curb'
require_relative 'ask'

results = []
outputs = sinks
multi = Curl::Multi.new
outputs.each do |sink|
  easy = Curl::Easy.new(URL)
  easy.post_body = BODY unless BODY.empty?
  easy.on_body { |bytes| sink.call(bytes) ? bytes.bytesize : 0 }
  easy.on_complete { |curl| results << curl.last_result }
  multi.add(easy)
end
multi.perform
exit 99 if results.size != outputs.size
exit results.max
