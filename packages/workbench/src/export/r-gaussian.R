# The Gaussian of the numbers ------------------------------------------------------------------------------------------

means <- lapply(data$components, function(own) own$gaussian$mean)
covariances <- lapply(data$components, function(own) {
  lower <- matrix(0, length(block), length(block))
  for (a in seq_along(block)) lower[a, seq_len(a)] <- own$gaussian$covariance[[a]]
  lower + t(lower) - diag(diag(lower), length(block))
})
tilts <- slopes[block, , drop = FALSE] # the weights of the block, columns x K

# What the known numbers of the block say: the logarithm of their density, n x M, and what the hidden ones are then worth to each
# class, the logarithm of the mean of exp(w*x), per component n x K. Rows with the same gaps share a Cholesky factor L' of the known
# numbers' covariance. With z = inv(L) (known - mean) and g = inv(L) (covariance of known and hidden) w: the density is that of z, and the
# worth w*mean + g*z + (w'Sw - g*g) / 2 over the hidden numbers.
condition_block <- function(known, gaps) {
  density <- matrix(0, nrow(known), M)
  worth <- rep(list(matrix(0, nrow(known), K)), M)
  pattern <- apply(gaps, 1, function(own) paste(as.integer(own), collapse = ""))
  for (rows in split(seq_len(nrow(known)), pattern)) {
    hidden <- which(gaps[rows[1], ])
    o <- which(!gaps[rows[1], ])
    w <- tilts[hidden, , drop = FALSE]
    for (m in seq_len(M)) {
      s <- covariances[[m]]
      moved <- s[, hidden, drop = FALSE] %*% w
      fixed <- colSums(means[[m]][hidden] * w) + colSums(w * moved[hidden, , drop = FALSE]) / 2
      if (length(o) == 0) {
        worth[[m]][rows, ] <- rep(fixed, each = length(rows))
        next
      }
      upper <- chol(s[o, o, drop = FALSE])
      z <- backsolve(upper, t(known[rows, o, drop = FALSE]) - means[[m]][o], transpose = TRUE)
      g <- backsolve(upper, moved[o, , drop = FALSE], transpose = TRUE)
      density[rows, m] <- -colSums(z^2) / 2 - sum(log(diag(upper))) - length(o) * log(2 * pi) / 2
      worth[[m]][rows, ] <- crossprod(z, g) + rep(fixed - colSums(g^2) / 2, each = length(rows))
    }
  }
  list(density = density, worth = worth)
}
