# R's mice on rows from standard input, CSV with an empty field for a gap, texts for categories and a last column "test" of 0 and 1: all
# rows are filled five times by what those of 0 teach, and what mice leaves open (columns that it finds constant or collinear) by the mean or the
# commonest value. Prints them as JSON, categories as their texts. An argument limits the seconds of processor time.
suppressPackageStartupMessages(library(mice))
limit <- as.numeric(commandArgs(trailingOnly = TRUE))
if (length(limit) > 0) setTimeLimit(cpu = limit)
rows <- read.csv(file("stdin"), na.strings = "", stringsAsFactors = TRUE)
test <- rows$test == 1
rows$test <- NULL
filled <- suppressWarnings(mice(rows, m = 5, seed = 1, ignore = test, printFlag = FALSE))
status <- readLines("/proc/self/status")
memory <- 1024 * as.numeric(gsub("[^0-9]", "", grep("VmHWM", status, value = TRUE)))
usual <- lapply(rows[!test, , drop = FALSE], function(column) {
  if (is.numeric(column)) mean(column, na.rm = TRUE) else names(which.max(table(column)))
})
cell <- function(value) if (is.numeric(value)) format(value, digits = 17) else paste0('"', value, '"')
row <- function(table, r) paste0("[", paste(vapply(table, function(column) cell(column[r]), ""), collapse = ","), "]")
one <- function(m) {
  table <- complete(filled, m)
  texts <- vapply(table, is.factor, logical(1))
  table[texts] <- lapply(table[texts], as.character)
  for (name in names(table)) table[[name]][is.na(table[[name]])] <- usual[[name]]
  paste0("[", paste(vapply(seq_len(nrow(table)), function(r) row(table, r), ""), collapse = ","), "]")
}
tables <- paste(vapply(1:5, one, ""), collapse = ",")
seconds <- sum(proc.time()[c("user.self", "sys.self")])
cat('{"filled":[', tables, '],"seconds":', seconds, ',"memory":', memory, "}\n", sep = "")
