# Trains regressors of R, exports them, and writes rows.json, answers.json by case, and refused.json. conformant_export.R stands in the folder.

library(jsonlite)
source("conformant_export.R")
set.seed(1)
n <- 400
data <- data.frame(
  age = round(rnorm(n, 40, 9), 1), `body mass` = round(rnorm(n), 2), city = factor(sample(c("Bonn", "St. Gallen", "Ulm", "say \"hi\""), n, TRUE)),
  smoker = sample(c(TRUE, FALSE), n, TRUE), year = sample(c(1990L, 1995L, 2000L), n, TRUE), check.names = FALSE
)
rows <- data
rate <- exp(data$age / 40 + data$`body mass` / 4 + (data$city == "Ulm") / 2 + data$smoker / 3)
data$price <- rate * 1000 + rnorm(n)
data$count <- rpois(n, rate)
data$amount <- rgamma(n, 2, 1 / rate)
data$success <- rbinom(n, 10, rate / (rate + 4))
x <- as.matrix(data[c("age", "body mass", "year")])
inputs <- data[names(rows)]
response <- function(model) as.numeric(predict(model, data, type = "response"))
penalized <- function(model, s) as.numeric(predict(model, x, s = s, type = "response"))
forest <- function(...) ranger::ranger(price ~ age + city + year, data, num.trees = 20, max.depth = 6, seed = 1, num.threads = 1, ...)
from_forest <- function(model) predict(model, data, num.threads = 1)$predictions
net <- glmnet::glmnet(x, data$price)
net_count <- glmnet::cv.glmnet(x, data$count, family = "poisson")
net_amount <- glmnet::glmnet(x, data$amount, family = Gamma("log"))
lost <- transform(data, twice = 2 * age)
cases <- list(
  "lm" = list(lm(price ~ age + `body mass` + city + smoker, data), response),
  "lm-weighted" = list(lm(price ~ age + city, data, weights = count + 1), response),
  "lm-contrasts" = list(lm(price ~ age + city + factor(year), data, contrasts = list(city = "contr.sum")), response),
  "lm-without-intercept" = list(lm(price ~ 0 + city + age, data), response),
  "lm-huge" = list(lm(I(price * 1e290) ~ age, data), response),
  "aov" = list(aov(price ~ city + smoker, data), response),
  "robust" = list(MASS::rlm(price ~ age + city, data), response),
  "glm-gaussian" = list(glm(price ~ age + city, gaussian, data), response),
  "glm-poisson" = list(glm(count ~ age + city + smoker, poisson, data), response),
  "glm-gamma" = list(glm(amount ~ age + city, Gamma("log"), data), response),
  "glm-rates" = list(glm(cbind(success, 10 - success) ~ age + city, binomial, data), response),
  "glm-shares" = list(glm(success / 10 ~ age + city, binomial("probit"), data, weights = rep(10, n)), response),
  "glm-negative-binomial" = list(suppressWarnings(MASS::glm.nb(count ~ age + city, data)), response),
  "glmnet" = list(net, function(model) penalized(model, 0.1), s = 0.1),
  "glmnet-poisson" = list(net_count, function(model) penalized(model, "lambda.1se")),
  "glmnet-gamma" = list(net_amount, function(model) penalized(model, 0.01), s = 0.01),
  "ranger" = list(forest(), from_forest),
  "ranger-order" = list(forest(respect.unordered.factors = "order"), from_forest),
  "ranger-partition" = list(forest(respect.unordered.factors = "partition"), from_forest)
)
answers <- list()
for (name in names(cases)) {
  case <- cases[[name]]
  do.call(conformant_export, c(list(case[[1]], data, paste0(name, ".json")), case[-(1:2)]))
  answers[[name]] <- case[[2]](case[[1]])
}
refused <- list(
  inverse = function() glm(amount ~ age, Gamma, data),
  probit = function() glm(smoker ~ age, binomial("probit"), data),
  several = function() lm(cbind(price, count) ~ age, data),
  offset = function() lm(price ~ age + offset(count), data),
  interaction = function() lm(price ~ age * city, data),
  computed = function() lm(price ~ poly(age, 2), data),
  smooth = function() mgcv::gam(price ~ s(age), data = data),
  "several penalized" = function() glmnet::glmnet(x, as.matrix(data[c("price", "count")]), family = "mgaussian"),
  survival = function() ranger::ranger(survival::Surv(amount, smoker) ~ age, data, num.trees = 2)
)
said <- lapply(refused, function(model) {
  tryCatch({ conformant_export(model(), data, "refused.json"); "" }, error = function(e) gsub("\n", " ", conditionMessage(e)))
})
write(toJSON(list(columns = names(rows), rows = unname(rows)), dataframe = "values", digits = NA), "rows.json")
write(toJSON(answers, digits = NA), "answers.json")
write(toJSON(said, auto_unbox = TRUE), "refused.json")
