# RCurl's curlPerform(), which is curl_easy_perform().  It heeds no result of
# its callback: what stops it is an error, which leaves libcurl by a longjmp.
self <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(self), "ask.R"))

options <- list(url = url, writefunction = function(text) {
  if (!take(charToRaw(text))) stop("enough")
})
if (nzchar(body)) options$postfields <- body
exit_on_error(status <- RCurl::curlPerform(.opts = options))
quit(status = status)
