# The model ------------------------------------------------------------------------------------------------------------

# Registered, so that predict() and print() find them from anywhere; every model brings its own functions.
registerS3method("predict", "conformant_model", function(object, newdata, type = c("prob", "class"), extra = c("ignore", "error"), ...) {
  probabilities <- object$predict_rows(newdata, match.arg(extra))
  if (match.arg(type) == "prob") probabilities else object$decide(probabilities)
})
registerS3method("print", "conformant_model", function(x, ...) {
  cat("Expected predictions of", dQuote(x$classes, FALSE), "from", length(x$columns), "columns, any of which may be missing\n")
  invisible(x)
})
structure(list(classes = data$classes, columns = supplied, predict_rows = predict_rows, decide = decide), class = "conformant_model")
