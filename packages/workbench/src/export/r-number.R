# Predicting -----------------------------------------------------------------------------------------------------------

decide <- NULL
registerS3method("predict", "conformant_model", function(object, newdata, extra = c("ignore", "error"), ...) {
  answers <- object$predict_rows(newdata, match.arg(extra))
  structure(answers[, 1], standard.error = attr(answers, "standard.error"))
})
