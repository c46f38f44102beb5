# Asks a model in many ways for the same rows. The model is exported.R, with the columns x0, x1, x2 (numbers), bit (0/1), city (Bonn, Köln,
# St. Gallen, 1) and age (binned).

options(warn = 2)
seed <- if (exists(".Random.seed")) .Random.seed
source("exported.R", encoding = "UTF-8")
stopifnot(inherits(model, "conformant_model"), identical(ls(), c("model", "seed")))
frame <- data.frame(x0 = c(3, NA, NA, NA), x1 = c(2.5, NaN, NA, NA), x2 = c(1.25, 4, 2, NA), bit = c(1, 0, NA, NA),
  city = c("K\u00f6ln", "1", "nowhere", NA), age = c(0.3, 0.25, NA, NA), row.names = c("a", "b", "c", "d"))
expected <- suppressWarnings(predict(model, frame)) # of "nowhere", below
stopifnot(dim(expected) == c(4, 2), colnames(expected) == c("class 0", "class 1"), rownames(expected) == row.names(frame), abs(rowSums(expected) - 1) < 1e-12)
same <- function(what, rows, which = 1:4, ...) {
  own <- suppressWarnings(predict(model, rows, type = "prob", ...))
  if (!isTRUE(all(dim(own) == c(length(which), 2))) || any(abs(own - expected[which, ]) > 1e-15)) stop(what)
}
fails <- function(words, rows, ...) {
  said <- tryCatch({ predict(model, rows, ...); "nothing" }, error = conditionMessage)
  if (!grepl(words, said, fixed = TRUE)) stop("expected ", words, ", got ", said)
}
same("columns in another order", frame[6:1])
same("absent columns", frame[4, "bit", drop = FALSE], 4)
same("no rows", frame[0, ], integer())
same("one row", frame[1, ], 1)
same("a factor", transform(frame, city = factor(city), bit = factor(bit), age = factor(age)))
same("integers", transform(frame, bit = as.integer(bit)))
same("truth values", transform(frame, bit = as.logical(bit)))
same("texts", transform(frame, x0 = as.character(x0), bit = c("true", "FALSE", "", "NA"), age = as.character(age)))
same("a number as a category", transform(frame, city = c(NA, 1, NA, NA))[2:4, ], 2:4)
same("a spelling of a category", transform(frame, city = c("K\u00f6ln", "1.0", "", "NA")))
same("latin1", transform(frame, city = iconv(city, "UTF-8", "latin1")))
same("extra", cbind(frame, other = 1))
warns <- function(words, rows) {
  said <- tryCatch({ predict(model, rows); "nothing" }, warning = conditionMessage)
  if (!identical(said, words)) stop("expected ", words, ", got ", said)
}
warns("nothing", cbind(frame[c(1, 2, 4), ], other = 1))
warns("column \"city\": 2 rows with an unknown category, counted as missing (\"nowhere\")", frame[c(1, 3, 3), ])
warns("column \"city\": 1 row with an unknown category, counted as missing (\"nowhere\")", transform(frame, city = factor(city)))
warns("the rows lack \"city\": missing in every row; \"City\": not in the model, ignored", within(frame, { City <- city; rm(city) }))
same("a matrix", as.matrix(frame[3:4, 1:4]), 3:4)
many <- suppressWarnings(predict(model, frame[rep(1:4, 3000), ]))
stopifnot(max(abs(many - expected[rep(1:4, 3000), ])) < 1e-12)
fails("\"other\" is not a column of the model", cbind(frame, other = 1), extra = "error")
fails("column \"x0\", row 2: must be a finite number or missing, got high", transform(frame, x0 = c("1", "high", NA, NA)))
fails("column \"x0\", row 1", transform(frame, x0 = Inf))
fails("column \"bit\", row 1: must be 0 or 1", transform(frame, bit = 2))
fails("column \"bit\", row 1: must be 0 or 1", transform(frame, bit = "yes"))
fails("got Date", transform(frame, x0 = Sys.Date()))
fails("got AsIs", within(frame, city <- I(list(1, 2, 3, 4))))
fails("occurs twice", cbind(frame, x0 = 1))
fails("must be a data.frame", list(x0 = 1))
fails("should be one of", frame[1, ], type = "raw")
classes <- suppressWarnings(predict(model, frame, type = "class"))
stopifnot(is.factor(classes), levels(classes) == model$classes, length(predict(model, frame[0, ], type = "class")) == 0)
stopifnot(identical(seed, if (exists(".Random.seed")) .Random.seed))
saveRDS(model, "model.rds")
stopifnot(identical(suppressWarnings(predict(readRDS("model.rds"), frame)), expected))
print(model)
