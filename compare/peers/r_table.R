# Prints a table that an R package ships as a list of objects, its label as a text in "label"; rows with gaps are left out.
#   Rscript r_table.R PACKAGE::TABLE LABEL [COLUMNS THAT ARE LEFT OUT…]
words <- commandArgs(trailingOnly = TRUE)
place <- strsplit(words[1], "::")[[1]]
scope <- new.env()
data(list = place[2], package = place[1], envir = scope)
table <- na.omit(as.data.frame(get(place[2], envir = scope)))
table <- table[setdiff(names(table), words[-(1:2)])]
names(table)[names(table) == words[2]] <- "label"
table$label <- paste("class", table$label)
texts <- vapply(table, function(column) !is.numeric(column), logical(1))
table[texts] <- lapply(table[texts], as.character)
cell <- function(value) if (is.numeric(value)) format(value, digits = 17) else paste0('"', value, '"')
row <- function(r) {
  paste0("{", paste0('"', names(table), '":', vapply(names(table), function(n) cell(table[[n]][r]), ""), collapse = ","), "}")
}
cat("[", paste(vapply(seq_len(nrow(table)), row, ""), collapse = ",\n"), "]\n", sep = "")
