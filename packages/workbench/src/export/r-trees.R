# Trees ----------------------------------------------------------------------------------------------------------------

trees <- data$trees
node_column <- trees$column + 1 # 0 for a leaf
is_inner <- node_column > 0
child_left <- ifelse(is_inner, trees$left + 1, NA)
child_right <- ifelse(is_inner, trees$right + 1, NA)
leaf_of <- trees$left + 1
leaf_nodes <- order(ifelse(is_inner, NA, trees$left), na.last = NA)
roots <- trees$roots + 1
node_set <- trees$set + 1 # 0 where the threshold decides
in_set <- matrix(FALSE, max(1, length(trees$sets)), max(1, lengths(trees$sets)))
for (s in seq_along(trees$sets)) in_set[s, seq_along(trees$sets[[s]])] <- trees$sets[[s]] == 1
leaf_values <- matrix(trees$values, ncol = trees$width, byrow = TRUE)
S <- length(trees$base)
# What each leaf adds to each sum, leaves x S.
leaf_sums <- if (trees$width > 1) leaf_values else outer(trees$outputs + 1, seq_len(S), "==") * leaf_values[, 1]
# Codes of trees count from 0, positions of cells from 1.
code_shift <- vapply(data$columns, function(column) if (column$kind %in% c("numeric", "binary")) 0 else 1, 0)
atoms <- lapply(seq_len(d), function(i) if (data$columns[[i]]$kind == "numeric") data$columns[[i]]$atoms else seq_len(nrow(log_q[[i]])) - 1)
masses <- lapply(log_q, exp) # per column atoms x M
in_block <- seq_len(d) %in% block
one_row_settings <- list(enumerate = 4096, tolerance = 0.002, walks = 2^23)
many_rows_settings <- list(enumerate = 256, tolerance = 0.01, walks = 2^22)
replicates <- 32
is_sum <- trees$link %in% c("probability", "identity") # the answers are the sums themselves
error_unit <- if (is.null(data$scale)) 1 else data$scale # 1 for probabilities, the standard deviation of a number
most_cells <- 2^22 # rows x nodes that are looked at together

# The mean of the trees' answer over the completions of each row, and its standard error, 0 where it is exact. The known cells
# decide where they can. Averaged probabilities are sums over leaves; other trees are summed over the combinations of the cells that
# their thresholds cut the missing columns into, and where these are too many, or a Gaussian describes a missing column, completions
# are drawn, the same ones for the same row.
answer_trees <- function(cells, one_row) {
  settings <- if (one_row) one_row_settings else many_rows_settings
  answers <- matrix(0, nrow(cells), K)
  errors <- numeric(nrow(cells))
  step <- max(1, most_cells %/% length(node_column))
  for (start in seq(1, by = step, length.out = ceiling(nrow(cells) / step))) {
    rows <- seq(start, min(nrow(cells), start + step - 1))
    for (own in answer_rows(cells[rows, , drop = FALSE], settings)) {
      answers[rows[own$row], ] <- own$answer
      errors[rows[own$row]] <- own$error
    }
  }
  list(answers = answers, errors = errors)
}

answer_rows <- function(cells, settings) {
  x <- sweep(cells, 2, code_shift)
  gaps <- is.na(cells)
  reached <- reach(x, gaps)
  open <- matrix(FALSE, nrow(x), length(node_column))
  open[, is_inner] <- reached[, is_inner] & gaps[, node_column[is_inner]]
  shares <- vapply(posterior(cells), rowSums, numeric(nrow(cells)))
  dim(shares) <- c(nrow(cells), M)
  expected <- expected_sums(reached, gaps, shares)
  lapply(seq_len(nrow(x)), function(r) {
    nodes <- which(open[r, ])
    if (length(nodes) == 0 || expected$exact[r] && is_sum)
      return(list(row = r, answer = link(expected$sums[r, , drop = FALSE]), error = 0))
    found <- enumerate_cells(x[r, ], nodes, shares[r, ], settings$enumerate)
    if (!is.null(found)) return(list(row = r, answer = found$weights %*% link(sums_of(found$rows)), error = 0))
    columns <- sort(unique(node_column[nodes]))
    own <- draw(x[r, ], columns, shares[r, ], if (expected$exact[r]) expected$sums[r, ], settings)
    list(row = r, answer = own$answer, error = own$error)
  })
}

# Whether numbers or codes go left at nodes.
goes_left <- function(node, x) {
  left <- x <= trees$threshold[node]
  own <- node_set[node]
  by_set <- own > 0 & !is.na(x)
  if (any(by_set)) left[by_set] <- in_set[cbind(own[by_set], x[by_set] + 1)]
  left
}

# Which nodes the known cells of each row leave open, n x nodes.
reach <- function(x, gaps) {
  reached <- matrix(FALSE, nrow(x), length(node_column))
  reached[, roots] <- TRUE
  nodes <- roots
  while (length(nodes) > 0) {
    nodes <- nodes[is_inner[nodes]]
    for (n in nodes) {
      i <- node_column[n]
      left <- goes_left(rep(n, nrow(x)), x[, i])
      reached[, child_left[n]] <- reached[, n] & (gaps[, i] | left)
      reached[, child_right[n]] <- reached[, n] & (gaps[, i] | !left)
    }
    nodes <- c(child_left[nodes], child_right[nodes])
  }
  reached
}

# The sums of the trees for complete rows, n x S.
sums_of <- function(rows) {
  sums <- matrix(trees$base, nrow(rows), S, byrow = TRUE)
  for (root in roots) {
    node <- rep(root, nrow(rows))
    moving <- which(is_inner[node])
    while (length(moving) > 0) {
      own <- node[moving]
      left <- goes_left(own, rows[cbind(moving, node_column[own])])
      node[moving] <- ifelse(left, child_left[own], child_right[own])
      moving <- moving[is_inner[node[moving]]]
    }
    sums <- sums + leaf_sums[leaf_of[node], , drop = FALSE]
  }
  sums
}

# Sums as probabilities, or as a number.
link <- function(sums) {
  if (is_sum) return(sums)
  if (trees$link == "log") return(exp(sums))
  scores <- if (trees$link == "softmax") sums else cbind(0, sums)
  powers <- exp(scores - do.call(pmax, as.data.frame(scores)))
  answers <- powers / rowSums(powers)
  if (trees$link == "logit") answers[, 2, drop = FALSE] else answers
}

# Where the leaves lie: per leaf the columns on its way, and the masses of the atoms that lead there, columns x M.
leaf_boxes <- function() {
  boxes <- vector("list", length(leaf_nodes))
  waiting <- lapply(roots, function(root) list(node = root, box = list()))
  while (length(waiting) > 0) {
    own <- waiting[[length(waiting)]]
    waiting[[length(waiting)]] <- NULL
    n <- own$node
    if (!is_inner[n]) {
      columns <- as.integer(names(own$box))
      own_masses <- lapply(seq_along(columns), function(s) colSums(masses[[columns[s]]][own$box[[s]], , drop = FALSE]))
      boxes[[leaf_of[n]]] <- list(columns = columns, masses = own_masses)
      next
    }
    i <- node_column[n]
    left <- if (in_block[i]) TRUE else goes_left(rep(n, length(atoms[[i]])), atoms[[i]])
    inside <- own$box[[as.character(i)]]
    if (is.null(inside)) inside <- TRUE
    for (side in c("left", "right")) {
      box <- own$box
      box[[as.character(i)]] <- inside & (if (side == "left") left else !left)
      child <- if (side == "left") child_left[n] else child_right[n]
      waiting[[length(waiting) + 1]] <- list(node = child, box = box)
    }
  }
  boxes
}
boxes <- leaf_boxes()

# E[sums | row] = base + sum over leaves value sum over m P(m | row) product over missing Q_m(side), n x S, and whether no leaf depends on a missing number of
# the block.
expected_sums <- function(reached, gaps, shares) {
  sums <- matrix(trees$base, nrow(gaps), S, byrow = TRUE)
  exact <- rep(TRUE, nrow(gaps))
  for (leaf in seq_along(boxes)) {
    rows <- which(reached[, leaf_nodes[leaf]])
    chance <- shares[rows, , drop = FALSE]
    box <- boxes[[leaf]]
    for (s in seq_along(box$columns)) {
      missing <- gaps[rows, box$columns[s]]
      if (!any(missing)) next
      if (in_block[box$columns[s]]) exact[rows[missing]] <- FALSE
      else chance[missing, ] <- chance[missing, , drop = FALSE] * rep(box$masses[[s]], each = sum(missing))
    }
    sums[rows, ] <- sums[rows, , drop = FALSE] + rowSums(chance) %o% leaf_sums[leaf, ]
  }
  list(sums = sums, exact = exact)
}

# All combinations of the atoms of missing columns that the open splits can tell apart, as complete rows, and their probabilities;
# NULL where there are more than `most`, or a Gaussian describes one of the columns.
enumerate_cells <- function(row, nodes, shares, most) {
  columns <- sort(unique(node_column[nodes]))
  if (any(in_block[columns])) return(NULL)
  cells <- list()
  for (i in columns) {
    own <- nodes[node_column[nodes] == i]
    thresholds <- sort(unique(trees$threshold[own[node_set[own] == 0]]))
    key <- findInterval(atoms[[i]], thresholds, left.open = TRUE)
    for (s in unique(node_set[own[node_set[own] > 0]])) key <- paste(key, in_set[s, seq_along(atoms[[i]])])
    first <- which(!duplicated(key))
    cells[[length(cells) + 1]] <- list(values = atoms[[i]][first], masses = rowsum(masses[[i]], match(key, key[first])))
    if (prod(vapply(cells, function(cell) length(cell$values), 0)) > most) return(NULL)
  }
  places <- as.matrix(expand.grid(lapply(cells, function(cell) seq_along(cell$values))))
  rows <- matrix(row, nrow(places), length(row), byrow = TRUE)
  joint <- matrix(shares, nrow(places), M, byrow = TRUE)
  for (j in seq_along(columns)) {
    rows[, columns[j]] <- cells[[j]]$values[places[, j]]
    joint <- joint * cells[[j]]$masses[places[, j], , drop = FALSE]
  }
  list(rows = rows, weights = rowSums(joint))
}

# The mean answer over completions drawn in 32 independent Latin hypercubes, in rounds of twice as many points, and its standard error
# from the differences between them. Where the expected sums are known, what the drawn ones miss them by is taken out of the answers
# by regression. The generator of the session is left as it was.
draw <- function(row, columns, shares, expected, settings) {
  seed <- globalenv()$.Random.seed
  kind <- RNGkind("Mersenne-Twister", "Inversion", "Rejection")
  on.exit({
    do.call(RNGkind, as.list(kind))
    if (is.null(seed)) rm(".Random.seed", envir = globalenv()) else assign(".Random.seed", seed, envir = globalenv())
  })
  set.seed(0)
  complete <- completions_of(row, columns, shares)
  target <- if (!is.null(expected)) class_scores(matrix(expected, 1))
  answers <- scores <- matrix(0, replicates, K)
  points <- 0
  n <- 4
  repeat {
    hypercubes <- lapply(seq_len(replicates), function(r) {
      vapply(seq_len(length(columns) + 1), function(j) (sample(n) - runif(n)) / n, numeric(n))
    })
    sums <- sums_of(complete(do.call(rbind, hypercubes)))
    replicate <- rep(seq_len(replicates), each = n)
    answers <- answers + rowsum(link(sums), replicate)
    scores <- scores + rowsum(class_scores(sums), replicate)
    points <- points + n
    own <- estimate(answers / points, scores / points, target, points)
    if (own$error <= settings$tolerance * error_unit || 2 * points * replicates * length(roots) > settings$walks) return(own)
    n <- points
  }
}

estimate <- function(answers, scores, target, points) {
  p <- colMeans(answers)
  z <- colMeans(scores)
  dp <- sweep(answers, 2, p)
  dz <- sweep(scores, 2, z)
  zz <- colSums(dz^2)
  regressed <- zz > 0 & !is.null(target)
  slope <- ifelse(regressed, colSums(dp * dz) / zz, 0)
  off <- if (is.null(target)) numeric(K) else ifelse(regressed, z - target, 0)
  variance <- pmax(0, colSums(dp^2) - slope * colSums(dp * dz)) / (replicates - ifelse(regressed, 2, 1))
  error <- max(sqrt(variance * (1 / replicates + ifelse(regressed, off^2 / zz, 0))))
  list(answer = p - slope * off, error = max(error, 0.25 * error_unit / (points * replicates)))
}

# What speaks for each answer: the sum of a number, plus or minus the log-odds, or each sum less their mean.
class_scores <- function(sums) if (K == 1) sums else if (ncol(sums) == 1) cbind(-sums, sums) else sums - rowMeans(sums)

# A function that completes the row from uniform numbers, the first of which chooses the component.
completions_of <- function(row, columns, shares) {
  drawn <- columns[!in_block[columns]]
  hidden <- columns[in_block[columns]]
  normals <- if (length(hidden) > 0) hidden_normals(row, hidden, shares)
  function(u) {
    rows <- matrix(row, nrow(u), length(row), byrow = TRUE)
    component <- pmin(findInterval(u[, 1], cumsum(shares) / sum(shares)) + 1, M)
    for (m in unique(component)) {
      own <- which(component == m)
      for (j in seq_along(drawn)) {
        mass <- masses[[drawn[j]]][, m]
        atom <- findInterval(u[own, 1 + j], cumsum(mass) / sum(mass)) + 1
        rows[own, drawn[j]] <- atoms[[drawn[j]]][pmin(atom, length(mass))]
      }
      if (length(hidden) > 0) {
        z <- qnorm(u[own, 1 + length(drawn) + seq_along(hidden), drop = FALSE])
        rows[own, hidden] <- z %*% t(normals[[m]]$root) + rep(normals[[m]]$mean, each = length(own))
      }
    }
    rows
  }
}

# Mean and a root of the covariance of the hidden numbers given the known ones, by component.
hidden_normals <- function(row, hidden, shares) {
  known <- which(!is.na(row[block]))
  wanted <- match(hidden, block)
  lapply(seq_len(M), function(m) {
    s <- covariances[[m]]
    mean <- means[[m]][wanted]
    own <- s[wanted, wanted, drop = FALSE]
    if (length(known) > 0) {
      gain <- solve(s[known, known, drop = FALSE], s[known, wanted, drop = FALSE], tol = 0)
      mean <- mean + drop((row[block][known] - means[[m]][known]) %*% gain)
      own <- own - s[wanted, known, drop = FALSE] %*% gain
    }
    found <- eigen((own + t(own)) / 2, symmetric = TRUE)
    list(mean = mean, root = found$vectors %*% diag(sqrt(pmax(found$values, 0)), length(wanted)))
  })
}
