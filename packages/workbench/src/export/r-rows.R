# Rows -----------------------------------------------------------------------------------------------------------------

gap_texts <- c("", "NA", "NaN", "nan", "null", "NULL")
number_pattern <- "^ *[-+]?((0|[1-9][0-9]*)([.][0-9]*)?|[.][0-9]+)([eE][-+]?[0-9]{1,3})? *$"
largest <- 1e100

# The columns of a row. Those with gapOf are not in it: they are 1 where the named column is missing, else 0.
is_indicator <- vapply(data$columns, function(column) !is.null(column$gapOf), NA)
supplied <- data$columns[!is_indicator]

# Rows as the model counts them: n x columns, a number or the position of a value (from 1), NA for a gap.
read_rows <- function(newdata, extra) {
  if (is.matrix(newdata)) newdata <- as.data.frame(newdata, stringsAsFactors = FALSE, optional = TRUE)
  if (!is.data.frame(newdata)) stop("newdata must be a data.frame or a matrix with column names")
  names <- names(newdata)
  if (anyDuplicated(names)) stop("column ", dQuote(names[anyDuplicated(names)], FALSE), " occurs twice")
  known <- vapply(data$columns, function(column) column$name, "")
  stranger <- setdiff(enc2utf8(names), c(known[!is_indicator], data$label))
  if (length(stranger) > 0 && extra == "error")
    stop(dQuote(stranger[1], FALSE), " is not a column of the model; extra = \"ignore\" ignores such columns")
  absent <- setdiff(known[!is_indicator], enc2utf8(names))
  if (length(stranger) > 0 && length(absent) > 0) # perhaps one is a misspelling of the other
    warning("the rows lack ", listed(absent), ": missing in every row; ", listed(stranger), ": not in the model, ignored", call. = FALSE)
  cells <- matrix(NA_real_, nrow(newdata), length(known))
  for (i in which(!is_indicator)) {
    at <- match(known[i], enc2utf8(names))
    if (is.na(at)) next
    cells[, i] <- read_column(data$columns[[i]], newdata[[at]])
    if (data$columns[[i]]$kind == "categorical") report_unknown(known[i], newdata[[at]], cells[, i])
  }
  for (i in which(is_indicator)) cells[, i] <- is.na(cells[, match(data$columns[[i]]$gapOf, known)])
  cells
}

# Warns of categories that the model does not know.
report_unknown <- function(name, values, places) {
  texts <- if (is.factor(values)) as.character(values) else category_text(values)
  texts <- texts[is.na(places) & !is.na(texts) & !(texts %in% gap_texts)]
  if (length(texts) == 0) return(invisible())
  rows <- if (length(texts) == 1) "1 row" else paste(length(texts), "rows")
  counts <- sort(table(texts), decreasing = TRUE)
  warning("column ", dQuote(name, FALSE), ": ", rows, " with an unknown category, counted as missing (", listed(names(counts)), ")", call. = FALSE)
}

listed <- function(names) {
  more <- if (length(names) > 5) paste(" and", length(names) - 5, "more") else ""
  paste0(paste(dQuote(head(names, 5), FALSE), collapse = ", "), more)
}

read_column <- function(column, values) {
  if (is.factor(values)) return(read_column(column, levels(values))[as.integer(values)])
  if (!is.null(dim(values)) || !(is.numeric(values) || is.logical(values) || is.character(values)) || inherits(values, c("Date", "POSIXt", "difftime")))
    stop("column ", dQuote(column$name, FALSE), ": must be numbers, texts, truth values or a factor, got ", class(values)[1])
  if (column$kind == "categorical") return(read_categories(column, values))
  numbers <- read_numbers(column, values)
  if (column$kind == "binned") findInterval(numbers, column$edges) + 1 else numbers
}

read_numbers <- function(column, values) {
  if (!is.character(values)) {
    numbers <- as.numeric(values)
    bad <- which(!is.na(numbers) & abs(numbers) > largest)
  } else {
    values <- enc2utf8(values)
    gap <- is.na(values) | values %in% gap_texts
    if (column$kind == "binary") values <- c(true = "1", false = "0", "1" = "1", "0" = "0")[category_key(values)]
    isNumber <- !gap & grepl(number_pattern, values)
    numbers <- rep(NA_real_, length(values))
    numbers[isNumber] <- as.numeric(values[isNumber])
    bad <- which(!gap & !isNumber | isNumber & abs(numbers) > largest)
  }
  if (column$kind == "binary") bad <- union(bad, which(!is.na(numbers) & numbers != 0 & numbers != 1))
  if (length(bad) > 0)
    stop("column ", dQuote(column$name, FALSE), ", row ", bad[1], ": must be ", if (column$kind == "binary") "0 or 1" else "a finite number", " or missing, got ", values[bad[1]])
  numbers
}

# The position of each value; one that the model does not know is a gap.
read_categories <- function(column, values) {
  texts <- category_text(values)
  own <- enc2utf8(column$values)
  keys <- category_key(own)
  keys[keys %in% keys[duplicated(keys)]] <- NA
  place <- match(texts, own, incomparables = NA)
  other <- match(category_key(texts), keys, incomparables = NA)
  place <- ifelse(is.na(place), other, place)
  # Where true and false are the only categories, 1 and 0 mean the same, and the other way round.
  truth <- if (all(keys %in% c("true", "false"))) c(true = "1", false = "0") else c("1" = "true", "0" = "false")
  if (!all(keys %in% names(truth))) return(place)
  ifelse(is.na(place), match(category_key(texts), unname(truth[keys]), incomparables = NA), place)
}

# Values as the model's categories are written: whole numbers without a fraction, truth values in small letters.
category_text <- function(values) {
  if (is.character(values)) return(enc2utf8(values))
  if (is.logical(values)) return(ifelse(values, "true", "false"))
  texts <- sprintf("%.15g", values)
  for (digits in 16:17) {
    longer <- which(!is.na(values) & suppressWarnings(as.numeric(texts)) != values)
    texts[longer] <- sprintf(paste0("%.", digits, "g"), values[longer])
  }
  plain <- !is.na(values) & grepl("e", texts, fixed = TRUE) & abs(values) < 1e21 & abs(values) >= 1e-7
  texts[plain] <- vapply(texts[plain], plain_text, "")
  texts <- sub("e([-+])0+", "e\\1", texts)
  texts[is.na(values)] <- NA
  texts
}

# 1.5e-05 as 0.000015.
plain_text <- function(text) {
  parts <- regmatches(text, regexec("^(-?)([0-9])[.]?([0-9]*)e([-+][0-9]+)$", text))[[1]]
  digits <- paste0(parts[3], parts[4])
  exponent <- as.integer(parts[5])
  zeros <- function(count) strrep("0", count)
  number <- if (exponent < 0) paste0("0.", zeros(-exponent - 1), digits) else paste0(digits, zeros(exponent - nchar(parts[4])))
  paste0(parts[2], number)
}

# What two spellings of one category share: 1, 1.0 and 1. are one, and so are true and True.
category_key <- function(texts) {
  lower <- tolower(texts)
  ifelse(lower %in% c("true", "false"), lower, ifelse(grepl("^[-+]?[0-9]+[.]0*$", texts), sub("[.].*$", "", texts), texts))
}
