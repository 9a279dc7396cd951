# curl_fetch_memory(), which blocks.  Nothing can stop it but its time limit:
# LIMIT is that, in milliseconds.
self <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(self), "ask.R"))

handle <- if (is.finite(left)) handle(timeout_ms = left) else handle()
exit_on_error(result <- curl::curl_fetch_memory(url, handle))
left <- Inf
invisible(take(result$content))
