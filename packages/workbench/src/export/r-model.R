# The model ------------------------------------------------------------------------------------------------------------

registerS3method("print", "conformant_model", function(x, ...) {
  cat("Expected predictions of", dQuote(x$outputs, FALSE), "from", length(x$columns), "columns, any of which may be missing\n")
  invisible(x)
})
structure(list(outputs = outputs, classes = data$classes, columns = supplied, predict_rows = predict_rows, decide = decide), class = "conformant_model")
