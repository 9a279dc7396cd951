# httr2 with a streaming callback, which stops it by its value.  (Before 1.0
# the function was called req_stream.)
self <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(self), "ask.R"))

perform <- if (exists("req_perform_stream", asNamespace("httr2"))) {
  httr2::req_perform_stream
} else {
  httr2::req_stream
}
request <- httr2::request(url)
if (nzchar(body)) {
  request <- httr2::req_body_raw(request, charToRaw(body), "application/json")
}
exit_on_error(response <- perform(request, take, buffer_kb = 0.25))
quit(status = if (left > 0) 0 else 23)
