# curl_fetch_stream(): its callback stops it by an error.
self <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(self), "ask.R"))

exit_on_error(
  curl::curl_fetch_stream(url, function(bytes) {
    if (!take(bytes)) stop("enough")
  }, handle())
)
