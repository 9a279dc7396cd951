# Typhoeus's hydra: ethon's multi interface.
require 'typhoeus'
require_relative 'ask'

codes = []
hydra = Typhoeus::Hydra.new(max_concurrency: COUNT ? COUNT.to_i : 1)
outputs = sinks
outputs.each do |sink|
  method = BODY.empty? ? { method: :get } : { method: :post, body: BODY }
  request = Typhoeus::Request.new(URL, method)
  request.on_body { |bytes, _| :abort unless sink.call(bytes) }
  request.on_complete { |response| codes << response.return_code }
  hydra.queue(request)
end
hydra.run
exit 99 if codes.size != outputs.size
exit codes.all?(:ok) ? 0 : 1
