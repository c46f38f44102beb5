# Trains classifiers of R, exports them, and writes what they answer: TABLE.csv, CASE.json, CASE.answers.csv (classes as header).
# conformant_export.R stands in the folder.

source("conformant_export.R")
set.seed(1)
n <- 400
data <- data.frame(
  age = round(rnorm(n, 40, 9), 1), `body mass` = round(rnorm(n), 2), city = factor(sample(c("Bonn", "St. Gallen", "Ulm", "say \"hi\""), n, TRUE)),
  smoker = sample(c(TRUE, FALSE), n, TRUE), year = sample(c(1990L, 1995L, 2000L), n, TRUE), check.names = FALSE
)
signal <- data$age / 10 + data$`body mass` + (data$city == "Ulm") + data$smoker + rnorm(n)
data$y <- factor(ifelse(signal > 4.8, "yes", "no"))
data$k <- factor(ifelse(signal > 5.5, "high", ifelse(signal > 4.2, "middle", "low")))
rows <- data[1:5]
write.csv(rows, "rows.csv", row.names = FALSE)
answer <- function(name, model, probabilities, classes, ...) {
  conformant_export(model, data, paste0(name, ".json"), ...)
  probabilities <- matrix(probabilities, nrow(data))
  lines <- apply(probabilities, 1, function(row) paste(sprintf("%.17g", row), collapse = ","))
  writeLines(c(paste(classes, collapse = ","), lines), paste0(name, ".answers.csv"))
}
two <- function(model) { p <- predict(model, data, type = "response"); cbind(1 - p, p) }

glm1 <- glm(y ~ age + `body mass` + city + smoker, binomial, data)
answer("glm", glm1, two(glm1), levels(data$y))
glm2 <- glm(y ~ age + city + factor(year), binomial, data, contrasts = list(city = "contr.sum"))
answer("glm-contrasts", glm2, two(glm2), levels(data$y))
glm3 <- glm(y == "yes" ~ 0 + city + age, binomial, data)
answer("glm-without-intercept", glm3, two(glm3), c("false", "true"))
ordered <- transform(data, year = ordered(year))
glm4 <- glm(y ~ year + age, binomial, ordered)
p <- predict(glm4, ordered, type = "response")
answer("glm-polynomials", glm4, cbind(1 - p, p), levels(data$y))
three <- nnet::multinom(k ~ age + city + smoker, data, trace = FALSE, maxit = 500)
answer("multinom", three, predict(three, data, type = "probs"), levels(data$k))
binary <- nnet::multinom(y ~ age + city, data, trace = FALSE, maxit = 500)
p <- predict(binary, data, type = "probs")
answer("multinom-two", binary, cbind(1 - p, p), levels(data$y))
x <- as.matrix(data[c("age", "body mass", "year")])
net <- glmnet::glmnet(x, data$k, family = "multinomial")
answer("glmnet", net, predict(net, x, s = 0.01, type = "response"), levels(data$k), s = 0.01)
net2 <- glmnet::glmnet(x, data$y, family = "binomial")
p <- predict(net2, x, s = 0.02, type = "response")
answer("glmnet-two", net2, cbind(1 - p, p), levels(data$y), s = 0.02)
net3 <- glmnet::cv.glmnet(x, data$y, family = "binomial")
p <- predict(net3, x, s = "lambda.1se", type = "response")
answer("cv-glmnet", net3, cbind(1 - p, p), levels(data$y))

refused <- list(
  probit = function() glm(y ~ age, binomial("probit"), data),
  interaction = function() glm(y ~ age * city, binomial, data),
  computed = function() glm(y ~ log(age), binomial, data),
  nls = function() nls(age ~ a + b * year, data, start = list(a = 1, b = 0))
)
said <- vapply(names(refused), function(name) {
  tryCatch({ conformant_export(refused[[name]](), data, "refused.json"); "" }, error = function(e) gsub("\n", " ", conditionMessage(e)))
}, "")
writeLines(paste(names(said), said, sep = "|"), "refused.txt")
