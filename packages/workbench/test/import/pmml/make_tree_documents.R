# A randomForest and an rpart tree as PMML, in the shape that R's pmml gives them: sets of factor levels, whole votes, surrogates.
library(randomForest); library(rpart); library(jsonlite)
set.seed(1)
n <- 10000
data <- data.frame(a = round(rnorm(n), 2), b = round(rnorm(n), 2), city = factor(sample(c("Bonn", "St. Gallen", "Ulm", "Wien"), n, TRUE)))
data$c <- round(data$a + rnorm(n) / 3, 2)
signal <- data$a * data$b + 2 * (data$city %in% c("Bonn", "Wien")) + data$c
data$y <- factor(ifelse(signal > 2, "high", ifelse(signal > 0.5, "middle", "low")))
columns <- c("a", "b", "c", "city")
train <- data[1:1500, ]
gaps <- data[columns]
for (name in columns) gaps[[name]][runif(n) < 0.2] <- NA

number <- function(x) sprintf("%.17g", x)
simple <- function(field, operator, value) sprintf('<SimplePredicate field="%s" operator="%s" value="%s"/>', field, operator, number(value))
inSet <- function(field, values) sprintf('<SimpleSetPredicate field="%s" booleanOperator="isIn"><Array n="%d" type="string">%s</Array></SimpleSetPredicate>',
  field, length(values), paste0('"', values, '"', collapse = " "))
schema <- '<MiningSchema><MiningField name="y" usageType="predicted"/><MiningField name="a"/><MiningField name="b"/><MiningField name="c"/><MiningField name="city"/></MiningSchema>'
listed <- function(values) paste0('<Value value="', values, '"/>', collapse = "")
save <- function(name, body) writeLines(paste0('<PMML version="4.2"><Header/><DataDictionary>',
  '<DataField name="y" optype="categorical" dataType="string">', listed(levels(data$y)), '</DataField>',
  paste0('<DataField name="', c("a", "b", "c"), '" optype="continuous" dataType="double"/>', collapse = ""),
  '<DataField name="city" optype="categorical" dataType="string">', listed(levels(data$city)), '</DataField></DataDictionary>', body, '</PMML>'), paste0(name, ".pmml"))

forest <- randomForest(train[columns], train$y, ntree = 15, maxnodes = 40)
treeOf <- function(t) {
  tree <- getTree(forest, t)
  node <- function(i, predicate) {
    if (tree[i, "status"] == -1) return(sprintf('<Node id="%d" score="%s">%s</Node>', i, levels(train$y)[tree[i, "prediction"]], predicate))
    field <- columns[tree[i, "split var"]]; point <- tree[i, "split point"]
    if (field == "city") {
      left <- bitwAnd(point, 2^(seq_along(levels(data$city)) - 1)) > 0
      tests <- c(inSet(field, levels(data$city)[left]), inSet(field, levels(data$city)[!left]))
    } else tests <- c(simple(field, "lessOrEqual", point), simple(field, "greaterThan", point))
    paste0('<Node id="', i, '">', predicate, node(tree[i, "left daughter"], tests[1]), node(tree[i, "right daughter"], tests[2]), '</Node>')
  }
  sprintf('<Segment id="%d"><True/><TreeModel functionName="classification" splitCharacteristic="binarySplit">%s%s</TreeModel></Segment>', t, schema, node(1, "<True/>"))
}
save("randomForest", paste0('<MiningModel functionName="classification">', schema, '<Segmentation multipleModelMethod="majorityVote">',
  paste0(sapply(1:forest$ntree, treeOf), collapse = ""), '</Segmentation></MiningModel>'))

tree <- rpart(y ~ a + b + c + city, train, control = rpart.control(cp = 0.001, maxsurrogate = 3, maxcompete = 0, usesurrogate = 2))
frame <- tree$frame; ids <- as.numeric(rownames(frame))
starts <- cumsum(c(1, frame$ncompete + frame$nsurrogate + (frame$var != "<leaf>")))
testsOf <- function(row) { # of one split: what goes left, what goes right
  field <- rownames(tree$splits)[row]; split <- tree$splits[row, ]
  if (abs(split["ncat"]) == 1) {
    tests <- c(simple(field, "lessThan", split["index"]), simple(field, "greaterOrEqual", split["index"]))
    if (split["ncat"] > 0) tests <- rev(tests)
    return(tests)
  }
  side <- tree$csplit[split["index"], seq_along(levels(data$city))]
  c(inSet(field, levels(data$city)[side == 1]), inSet(field, levels(data$city)[side == 3]))
}
node <- function(id, predicate) {
  i <- match(id, ids)
  shares <- frame$yval2[i, 1 + length(levels(data$y)) + seq_along(levels(data$y))]
  scores <- paste0('<ScoreDistribution value="', levels(data$y), '" recordCount="', number(shares), '"/>', collapse = "")
  open <- sprintf('<Node id="%d" score="%s">%s%s', id, levels(data$y)[frame$yval[i]], predicate, scores)
  if (frame$var[i] == "<leaf>") return(paste0(open, "</Node>"))
  rows <- starts[i] + c(0, seq_len(frame$nsurrogate[i]))
  tests <- sapply(rows, testsOf)
  more <- frame$n[match(2 * id, ids)] > frame$n[match(2 * id + 1, ids)] # without any surrogate the larger side
  ends <- if (more) c("<True/>", "<False/>") else c("<False/>", "<True/>")
  both <- sapply(1:2, function(side) paste0('<CompoundPredicate booleanOperator="surrogate">', paste0(tests[side, ], collapse = ""), ends[side], '</CompoundPredicate>'))
  paste0(open, node(2 * id, both[1]), node(2 * id + 1, both[2]), "</Node>")
}
save("rpart", paste0('<TreeModel functionName="classification" splitCharacteristic="binarySplit">', schema, node(1, "<True/>"), '</TreeModel>'))

answers <- list(randomForest = list(full = predict(forest, data[columns], type = "prob")), rpart = list(full = predict(tree, data), gaps = predict(tree, gaps)))
answers <- lapply(answers, function(parts) lapply(parts, unname))
write(toJSON(list(columns = columns, full = data[columns], gaps = gaps, answers = answers), dataframe = "values", digits = NA, na = "null"), "answers.json")
