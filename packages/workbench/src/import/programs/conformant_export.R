# Writes a classifier or regressor of R as JSON for `conformant fit --classifier`: lm, glm, nnet::multinom, glmnet, ranger. Needs base R.
#
#   source("conformant_export.R")
#   conformant_export(model, data, "classifier.json")
#
# data is what the model was trained on, for the levels of its factors. What is not additive in its columns, and no forest, is
# refused by name. `conformant r > conformant_export.R` writes this file.

conformant_export <- function(model, data, path, ...) {
  kind <- if (inherits(model, "glmnet")) "glmnet" else class(model)[1] # other classes that begin as a glm mean something else
  if (!kind %in% names(conformant_exporters))
    stop(class(model)[1], " cannot be exported; known are: ", paste(names(conformant_exporters), collapse = ", "))
  document <- conformant_exporters[[kind]](model, as.data.frame(data), ...)
  if (anyDuplicated(document$features)) stop("two features are called ", document$features[anyDuplicated(document$features)])
  writeLines(enc2utf8(conformant_json(document)), path, useBytes = TRUE)
}

conformant_exporters <- list(
  # A number.
  lm = function(model, data) {
    if (!is.null(model$offset)) stop(class(model)[1], " with an offset")
    conformant_number(conformant_terms(NULL, conformant_row(coef(model)), model, data), model, "identity")
  },

  # Two classes: the log-odds of the second level, or of 1. Rates, counts and amounts: a number.
  glm = function(model, data) {
    family <- model$family$family
    link <- model$family$link
    if (!is.null(model$offset)) stop("glm with an offset")
    response <- model.response(model.frame(model))
    is_rate <- is.matrix(response) || is.numeric(response) && any(response != 0 & response != 1)
    if (!family %in% c("binomial", "quasibinomial") || is_rate) {
      if (!link %in% conformant_links)
        stop("glm of the family ", family, " with the link ", link, ", expected ", paste(conformant_links, collapse = ", "))
      return(conformant_number(conformant_terms(NULL, conformant_row(coef(model)), model, data), model, link))
    }
    if (link != "logit") stop("glm of two classes with the link ", link, ", expected logit")
    classes <- if (is.factor(response)) levels(response) else if (is.logical(response)) c("false", "true") else c("0", "1")
    if (length(classes) != 2) stop("glm of a factor with ", length(classes), " levels, expected two")
    conformant_terms(classes, conformant_row(coef(model)), model, data)
  },

  # One row of coefficients for each class but the first, which has zeros.
  multinom = function(model, data) {
    coefficients <- coef(model)
    if (is.matrix(coefficients)) coefficients <- rbind(0, coefficients)
    else coefficients <- conformant_row(coefficients)
    conformant_terms(model$lev, coefficients, model, data)
  },

  # s: the penalty; columns of the matrix that it was trained on are the columns of the data.
  glmnet = function(model, data, s = min(model$lambda)) {
    own <- coef(model, s = s)
    classes <- model$classnames
    family <- if (inherits(model, "elnet")) "identity" else if (inherits(model, "fishnet")) "log" else model$family$link
    if (is.null(classes) && !isTRUE(family %in% conformant_links))
      stop("glmnet of the kind ", class(model)[1], ", expected gaussian, poisson, binomial, multinomial, or a family with the link ", paste(conformant_links, collapse = ", "))
    if (isTRUE(model$offset)) stop("glmnet with an offset")
    rows <- if (is.list(own)) do.call(rbind, lapply(own, function(one) as.matrix(one)[, 1])) else t(as.matrix(own)[, 1])
    if (length(classes) == 2 && nrow(rows) == 2) rows <- rows[2, , drop = FALSE] - rows[1, , drop = FALSE]
    names <- colnames(rows)[-1]
    strange <- setdiff(names, names(data))
    if (length(strange) > 0) stop("glmnet has the column ", strange[1], ", which the data does not have; factors need a model of R's formulas")
    document <- list(classes = classes, features = names, intercept = unname(rows[, 1]), coef = unname(rows[, -1, drop = FALSE]))
    if (is.null(classes)) conformant_number(document, model, family) else document
  },
  cv.glmnet = function(model, data, s = "lambda.1se") {
    conformant_exporters$glmnet(model$glmnet.fit, data, if (is.character(s)) model[[s]] else s)
  },

  # Forests of numbers, of probabilities and of votes, with factors treated in any of ranger's ways.
  ranger = function(model, data) {
    forest <- model$forest
    if (is.null(forest)) stop("ranger without its forest: train it with write.forest = TRUE")
    features <- forest$independent.variable.names
    is_number <- model$treetype == "Regression"
    votes <- !is_number && is.factor(model$predictions)
    if (!is_number && !votes && is.null(colnames(model$predictions)))
      stop("ranger of type ", model$treetype, ", expected a classification or a regression")
    classes <- if (votes) levels(model$predictions) else colnames(model$predictions)
    levels_of <- lapply(features, function(name) {
      own <- forest$covariate.levels[[name]] # the order that ranger gave them, if it did
      if (is.null(own)) levels(data[[name]]) else own
    })
    tree <- function(t) {
      info <- ranger::treeInfo(model, t)
      at <- forest$split.values[[t]]
      if (!is_number) share <- if (votes) outer(as.character(info$prediction), classes, "==") else as.matrix(info[-(1:7)])
      left_set <- function(i) {
        own <- if (info$terminal[i]) NULL else levels_of[[info$splitvarID[i] + 1]]
        if (is.null(own)) return(NULL)
        ordered <- forest$is.ordered[info$splitvarID[i] + 1]
        right <- if (ordered) which(seq_along(own) > at[i]) else as.integer(strsplit(info$splitval[i], ",")[[1]])
        as.numeric(setdiff(seq_along(own), right) - 1)
      }
      nodes <- seq_along(at)
      list(
        feature = as.numeric(ifelse(info$terminal, -1, info$splitvarID)), threshold = ifelse(info$terminal, NA, at),
        left = as.numeric(ifelse(info$terminal, -1, info$leftChild)), right = as.numeric(ifelse(info$terminal, -1, info$rightChild)),
        value = if (is_number) ifelse(info$terminal, info$prediction / model$num.trees, NA)
          else lapply(nodes, function(i) if (info$terminal[i]) as.numeric(share[i, ]) / model$num.trees),
        sets = lapply(nodes, left_set)
      )
    }
    answer <- if (is_number) list(output = conformant_response(model)) else list(classes = classes)
    c(list(kind = conformant_scalar("trees")), answer, list(features = features, categories = levels_of,
      link = conformant_scalar(if (is_number) "identity" else "probability"), trees = lapply(seq_len(model$num.trees), tree)))
  }
)
conformant_exporters$aov <- conformant_exporters$rlm <- conformant_exporters$lm
conformant_exporters$negbin <- conformant_exporters$glm

conformant_links <- c("identity", "log", "logit", "probit")

# Coefficients as a matrix of one row.
conformant_row <- function(coefficients) matrix(coefficients, nrow = 1, dimnames = list(NULL, names(coefficients)))

# The document of a number, whose link is a sum.
conformant_number <- function(document, model, link) {
  list(output = conformant_response(model), link = conformant_scalar(link), features = document$features,
    intercept = conformant_scalar(document$intercept), coef = lapply(unname(document$coef[1, ]), conformant_scalar))
}

# What stands before the ~ of a model's formula, or "prediction".
conformant_response <- function(model) {
  is_formula <- function(part) is.call(part) && identical(part[[1]], as.name("~"))
  formula <- Find(is_formula, c(tryCatch(formula(model), error = function(e) NULL), as.list(model$call)))
  conformant_scalar(if (length(formula) == 3) paste(deparse(formula[[2]]), collapse = " ") else "prediction")
}

# The document of a model of a formula. Each term must be a column, or factor(column); the contrasts of factors are whatever
# the model used.
conformant_terms <- function(classes, coefficients, model, data) {
  terms <- delete.response(terms(model))
  if (any(attr(terms, "order") > 1)) stop("the interaction ", attr(terms, "term.labels")[attr(terms, "order") > 1][1])
  if (!is.null(attr(terms, "offset"))) stop("a formula with an offset")
  coefficients[is.na(coefficients)] <- 0
  intercept <- if (attr(terms, "intercept") == 1) coefficients[, "(Intercept)"] else numeric(nrow(coefficients))
  features <- character()
  weights <- NULL
  assigned <- attr(model.matrix(model), "assign")
  matrix_names <- colnames(model.matrix(model))
  for (t in seq_along(attr(terms, "term.labels"))) {
    label <- attr(terms, "term.labels")[t]
    own <- coefficients[, matrix_names[assigned == t], drop = FALSE]
    plain <- gsub("^`|`$", "", label)
    levels <- model$xlevels[[plain]]
    is_logical <- attr(terms, "dataClasses")[[plain]] == "logical"
    column <- conformant_column(label, names(data), !is.null(levels))
    if (is.null(levels) && !is_logical) {
      features <- c(features, column)
      weights <- cbind(weights, own)
      next
    }
    if (is_logical) {
      features <- c(features, paste0(column, "=TRUE"))
      weights <- cbind(weights, own)
      next
    }
    contrasts <- conformant_contrasts(model$contrasts[[plain]], levels)
    if (ncol(contrasts) != ncol(own)) contrasts <- diag(length(levels)) # the first factor of a formula without an intercept
    features <- c(features, paste0(column, "=", levels))
    weights <- cbind(weights, own %*% t(contrasts))
  }
  list(classes = classes, features = features, intercept = unname(intercept), coef = unname(weights))
}

conformant_contrasts <- function(contrasts, levels) {
  if (is.character(contrasts)) contrasts <- get(contrasts, mode = "function")
  if (is.function(contrasts)) contrasts(levels) else contrasts
}

# The column of a term: its name, or what stands in factor() or as.factor().
conformant_column <- function(label, names, is_factor) {
  plain <- gsub("^`|`$", "", label)
  if (is_factor) plain <- gsub("^`|`$", "", sub("^(as\\.)?factor\\((.*)\\)$", "\\2", plain))
  if (!plain %in% names) stop("the computed term ", label)
  plain
}

conformant_scalar <- function(x) structure(x, class = "scalar")

# JSON with all digits. Vectors are lists, NULL and NA null; a scalar says so.
conformant_json <- function(x) {
  if (is.null(x)) return("null")
  if (inherits(x, "scalar")) return(if (is.character(x)) conformant_text(unclass(x)) else sprintf("%.17g", unclass(x)))
  if (is.matrix(x)) x <- lapply(seq_len(nrow(x)), function(r) x[r, ])
  if (is.list(x)) {
    items <- vapply(x, conformant_json, "")
    if (is.null(names(x))) return(paste0("[", paste(items, collapse = ","), "]"))
    return(paste0("{", paste0(conformant_text(names(x)), ":", items, collapse = ","), "}"))
  }
  items <- if (is.character(x)) conformant_text(x) else ifelse(is.na(x), "null", sprintf("%.17g", x))
  paste0("[", paste(items, collapse = ","), "]")
}

conformant_text <- function(texts) {
  vapply(enc2utf8(texts), function(text) {
    codes <- utf8ToInt(text)
    special <- codes < 32 | codes == 34 | codes == 92
    letters <- strsplit(text, "")[[1]]
    letters[special] <- sprintf("\\u%04x", codes[special])
    paste0("\"", paste(letters, collapse = ""), "\"")
  }, "", USE.NAMES = FALSE)
}
