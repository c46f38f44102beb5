# The sum of a linear regressor ----------------------------------------------------------------------------------------

# Replaces the sum eta of the model by the scores of several classes, so that what scores classes also expects numbers. log link: the
# scores of 0 and eta are log P(component, row) without and with log E[exp(eta)]. Identity: E[eta] takes the place of log E[exp(eta)],
# but for the Gaussian's part, which is E + variance / 2: half the difference of eta and -eta has E alone. eta is divided by a power of
# two near its largest spread, so that its square stays beside log P without loss.
sum_start <- data$intercept
sum_unit <- 1
sum_factors <- c(0, 1)
local({
  own_weights <- lapply(data$columns, function(column) unlist(column$weights))
  scores <- Map(function(column, w) {
    if (column$kind == "numeric") w * column$atoms else if (column$kind == "binary") w * 0:1 else w
  }, data$columns, own_weights)
  worth <- function(log_q, s) if (data$link == "identity") sum(exp(log_q) * s) else max(s) + log(sum(exp(log_q + s - max(s))))
  if (data$link == "identity") {
    spreads <- vapply(scores, function(s) diff(range(s)), 0)
    for (component in if (is.null(data$block)) NULL else data$components) {
      deviations <- vapply(component$gaussian$covariance, function(row) sqrt(row[length(row)]), 0)
      spreads <- c(spreads, abs(unlist(own_weights[data$block + 1])) * deviations)
    }
    if (max(spreads) > 0) sum_unit <<- 2^ceiling(log2(max(spreads)))
    sum_factors <<- (if (is.null(data$block)) c(0, 1) else c(0, 1, -1)) / sum_unit
  }
  for (m in seq_along(data$components)) {
    data$components[[m]]$logZ <<- Map(function(q, s) vapply(sum_factors, function(f) worth(q, f * s), 0), data$components[[m]]$logQ, scores)
  }
  for (i in seq_along(data$columns)) data$columns[[i]]$weights <<- lapply(own_weights[[i]], function(w) w * sum_factors)
  data$intercept <<- 0 * sum_factors
})

# The expected answer of each row, n x 1: the mean over components of E[eta], or of E[exp(eta)].
answer_linear <- function(cells, one_row) {
  scores <- joint_scores(cells)
  of_sum <- function(t) do.call(cbind, lapply(scores, function(own) own[, t]))
  zero <- of_sum(1)
  dim(zero) <- c(nrow(cells), M)
  largest_of <- function(own) do.call(pmax, as.data.frame(own))
  if (data$link == "log") {
    log_sum <- function(own) largest_of(own) + log(rowSums(exp(own - largest_of(own))))
    return(list(answers = exp(sum_start + log_sum(of_sum(2)) - log_sum(zero)), errors = 0))
  }
  shares <- exp(zero - largest_of(zero))
  sums <- if (length(block) > 0) (of_sum(2) - of_sum(3)) / 2 else of_sum(2) - zero
  list(answers = sum_start + sum_unit * rowSums(shares * sums) / rowSums(shares), errors = 0)
}
