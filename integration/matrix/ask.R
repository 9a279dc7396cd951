# What the scripts share: URL BODY [LIMIT].
arguments <- commandArgs(trailingOnly = TRUE)
url <- arguments[1]
body <- arguments[2]
left <- if (length(arguments) > 2) as.integer(arguments[3]) else Inf

# Prints bytes until there were LIMIT; FALSE: it wants no more.
take <- function(bytes) {
  taken <- head(bytes, min(left, length(bytes)))
  left <<- left - length(taken)
  cat(rawToChar(taken))
  left > 0
}

handle <- function(...) {
  handle <- curl::new_handle(...)
  if (nzchar(body)) curl::handle_setopt(handle, postfields = body)
  handle
}

# A failure's name is printed, and the exit code is 1.
exit_on_error <- function(expression) {
  tryCatch(invisible(expression), error = function(error) {
    message(conditionMessage(error))
    quit(status = 1)
  })
}
