# multi_run(): a request is cancelled from within its own callback.
self <- sub("^--file=", "", grep("^--file=", commandArgs(), value = TRUE))
source(file.path(dirname(self), "ask.R"))

ask <- handle(url = url)
status <- 2
pool <- curl::new_pool()
invisible(curl::multi_add(ask, pool = pool,
  done = function(result) status <<- 0,
  fail = function(message) status <<- 1,
  data = function(bytes, ...) if (!take(bytes)) stop("enough")
))
exit_on_error(curl::multi_run(pool = pool))
quit(status = status)
