# Scores ---------------------------------------------------------------------------------------------------------------

K <- length(data$intercept) # classes, or sums of a linear regressor
outputs <- if (is.null(data$output)) data$classes else data$output
M <- length(data$components)
d <- length(data$columns)
is_linear <- vapply(data$columns, function(column) column$kind %in% c("numeric", "binary"), NA)
weights <- lapply(data$columns, function(column) matrix(unlist(column$weights), ncol = K, byrow = TRUE))
slopes <- matrix(unlist(Map(function(w, linear) if (linear) w[1, ] else numeric(K), weights, is_linear)), ncol = K, byrow = TRUE)
log_q <- lapply(seq_len(d), function(i) matrix(unlist(lapply(data$components, function(own) own$logQ[[i]])), ncol = M)) # atoms x M
log_z <- lapply(data$components, function(own) matrix(unlist(own$logZ), ncol = K, byrow = TRUE)) # per component columns x K
constants <- vapply(data$components, function(own) own$constant, 0)
block <- data$block + 1
is_mixture <- M > 1 || length(block) > 0
chunk <- 4096 # rows that are answered together

predict_rows <- function(newdata, extra) {
  cells <- read_rows(newdata, extra)
  n <- nrow(cells)
  answer <- if (!is.null(data$trees)) answer_trees else if (is.null(data$output)) answer_additive else answer_linear
  answers <- matrix(0, n, length(outputs), dimnames = list(row.names(newdata), outputs))
  errors <- numeric(n)
  for (start in seq_len(ceiling(n / chunk))) {
    part <- seq((start - 1) * chunk + 1, min(n, start * chunk))
    own <- answer(cells[part, , drop = FALSE], n == 1)
    answers[part, ] <- own$answers
    errors[part] <- own$errors
  }
  if (!is.null(data$trees)) attr(answers, "standard.error") <- errors
  answers
}

answer_additive <- function(cells, one_row) {
  list(answers = Reduce(`+`, posterior(cells)), errors = 0)
}

# P(component, class | row): per component n x K.
posterior <- function(cells) {
  joint <- joint_scores(cells)
  largest_score <- do.call(pmax, lapply(joint, function(own) do.call(pmax, as.data.frame(own))))
  powers <- lapply(joint, function(own) exp(own - largest_score))
  total <- Reduce(`+`, lapply(powers, rowSums))
  lapply(powers, function(own) own / total)
}

# log P(component, class, row) up to a constant per row: per component n x K.
joint_scores <- function(cells) {
  gaps <- is.na(cells)
  known <- replace(cells, gaps, 0)
  scores <- rep(data$intercept, each = nrow(cells)) + known %*% slopes
  for (i in which(!is_linear)) {
    own <- !gaps[, i]
    scores[own, ] <- scores[own, , drop = FALSE] + weights[[i]][known[own, i], , drop = FALSE]
  }
  # A gap is worth log Z to each class. All components say the same of a complete row: what the predictor says.
  joint <- lapply(log_z, function(own) scores + gaps %*% own)
  if (is_mixture) {
    open <- which(rowSums(gaps) > 0)
    evidence <- evidence_of(known[open, , drop = FALSE], gaps[open, , drop = FALSE])
    if (length(block) > 0) {
      given <- condition_block(known[open, block, drop = FALSE], gaps[open, block, drop = FALSE])
      evidence <- evidence + given$density
      for (m in seq_len(M)) joint[[m]][open, ] <- joint[[m]][open, , drop = FALSE] + given$worth[[m]]
    }
    # Relative to the likeliest component, so that none, however small, drowns the scores of the classes.
    if (length(open) > 0) evidence <- evidence - do.call(pmax, as.data.frame(evidence))
    for (m in seq_len(M)) joint[[m]][open, ] <- joint[[m]][open, , drop = FALSE] + evidence[, m]
  }
  largest_score <- do.call(pmax, lapply(joint, function(own) do.call(pmax, as.data.frame(own))))
  if (!all(is.finite(largest_score))) stop("row ", which(!is.finite(largest_score))[1], ": its numbers are too large for a score")
  joint
}

# log of each component's weight, and of how common the known cells are in it: n x M.
evidence_of <- function(known, gaps) {
  evidence <- matrix(rep(constants, each = nrow(known)), nrow(known), M)
  for (i in seq_len(d)) {
    if (nrow(log_q[[i]]) == 1) next
    own <- !gaps[, i]
    x <- known[own, i]
    column <- data$columns[[i]]
    atom <- if (column$kind == "numeric") findInterval(x, column$edges) + 1 else if (column$kind == "binary") x + 1 else x
    evidence[own, ] <- evidence[own, , drop = FALSE] + log_q[[i]][atom, , drop = FALSE]
  }
  evidence
}
