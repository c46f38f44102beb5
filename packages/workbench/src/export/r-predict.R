# Predicting -----------------------------------------------------------------------------------------------------------

# The most likely class; a tie goes to the last of the tied classes.
decide <- function(probabilities) {
  place <- apply(probabilities, 1, function(p) max(which(p >= max(p) - tie)))
  factor(data$classes[as.integer(place)], data$classes)
}

registerS3method("predict", "conformant_model", function(object, newdata, type = c("prob", "class"), extra = c("ignore", "error"), ...) {
  probabilities <- object$predict_rows(newdata, match.arg(extra))
  if (match.arg(type) == "prob") probabilities else object$decide(probabilities)
})
