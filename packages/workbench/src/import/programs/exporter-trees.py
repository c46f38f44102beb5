# Trees ----------------------------------------------------------------------------------------------------------------


class _TreeWriter:
    """Trees that ask about features, as trees that ask about columns. Comparisons are those of scikit-learn, with the
    numbers as the steps before compute them, rounded to single precision where it does that."""

    def __init__(self, features, single):
        self.features, self.single = features, single
        self.columns, self.categories, self.trees, self.known = [], [], [], {}

    def round(self, x):
        return np.float32(x) if self.single else x

    def place(self, feature):
        """The position of a feature's column among those of the document, and of its categories."""
        if feature.column not in self.columns:
            self.columns.append(feature.column)
            self.categories.append([] if isinstance(feature, Categories) else None)
        at = self.columns.index(feature.column)
        if isinstance(feature, Categories) != (self.categories[at] is not None):
            raise NotExportable(f"column {feature.column!r} counts as a number and by its values")
        if isinstance(feature, Categories):
            self.categories[at] += [own for own in feature.values if own not in self.categories[at]]
        return at

    def add(self, leaf, feature, threshold, left, right, gaps_left, value, output=0, sets=None):
        """Adds a tree, a list over its nodes for each property."""
        n = len(leaf)
        nodes = {key: [-1] * n for key in ("feature", "left", "right", "gapsLeft")}
        nodes.update(threshold=[None] * n, sets=[None] * n, value=[v if end else None for v, end in zip(value.tolist(), leaf)], output=output)
        numbers = self.thresholds(leaf, feature, threshold, sets)
        for node in np.flatnonzero(~np.asarray(leaf, bool)):
            self.ask(nodes, node, numbers[node], feature[node], threshold[node], int(left[node]), int(right[node]), bool(gaps_left[node]), sets)
        self.trees.append(nodes)

    def thresholds(self, leaf, feature, threshold, sets):
        """For nodes that compare a line: the largest number of the column that goes left."""
        found = np.full(len(leaf), np.nan)
        for f in np.unique(np.asarray(feature)[~np.asarray(leaf, bool)]):
            own = self.features[f]
            if isinstance(own, Number):
                nodes = [n for n in np.flatnonzero(np.asarray(feature) == f) if not leaf[n] and not (sets and sets[n] is not None)]
                if own.slope <= 0:
                    raise NotExportable(f"trees behind a step that turns {own.column!r} around")
                limits = np.asarray(threshold, float)[nodes]
                found[nodes] = _largest(lambda x: self.round(own.compute(x)) <= limits, len(nodes))
        return found

    def ask(self, nodes, node, number, f, threshold, left, right, gap, sets):
        feature = self.features[f]
        if sets and sets[node] is not None:
            feature = Categories(feature.column, {str(code): float(code in sets[node]) for code in range(256)}, 0.0)
            feature = feature.map(lambda x: 1 - x, "")
            threshold = 0.5
        goes_left = lambda value: bool(self.round(np.float64(value)) <= threshold)
        if isinstance(feature, Number):
            self.write(nodes, node, feature, left, right, gap, threshold=float(number))
        elif isinstance(feature, Categories):
            at = self.place(feature)
            stays = goes_left(feature.other)
            chosen = [c for c, category in enumerate(self.categories[at]) if goes_left(feature.values.get(category, feature.other)) != stays]
            sides = (left, right, gap) if stays else (right, left, not gap)  # the others go left, a set goes right
            self.write(nodes, node, feature, *sides, sets=chosen)
        else:
            self.ask_bins(nodes, node, feature, [goes_left(value) for value in feature.values], left, right, gap)

    def ask_bins(self, nodes, node, feature, goes_left, left, right, gap):
        """Bins that go left need not stand together: one question for each change of side."""
        changes = [j for j in range(1, len(goes_left)) if goes_left[j] != goes_left[j - 1]]
        if not changes:
            raise NotExportable(f"a split that sends every bin of {feature.column!r} the same way")
        for n, j in enumerate(changes):
            here = left if goes_left[j - 1] else right
            rest = left if goes_left[j] else right
            if n < len(changes) - 1:
                rest = len(nodes["feature"])
                for key, empty in (("feature", -1), ("left", -1), ("right", -1), ("gapsLeft", -1), ("threshold", None), ("sets", None), ("value", None)):
                    nodes[key].append(empty)
            self.write(nodes, node, feature, here, rest, gap, threshold=float(np.nextafter(feature.edges[j - 1], -np.inf)))
            node = rest

    def write(self, nodes, node, feature, left, right, gap, threshold=None, sets=None):
        own = {"feature": self.place(feature), "left": left, "right": right, "gapsLeft": int(gap), "threshold": threshold, "sets": sets}
        for key, value in own.items():
            nodes[key][node] = value

    def document(self, answer, **more):
        """answer: the classes, or what is said of a number."""
        if not self.columns:
            raise NotExportable("the trees ask no question")
        answer = answer if isinstance(answer, dict) else {"classes": list(answer)}
        document = {"kind": "trees", **answer, "features": self.columns, "categories": self.categories}
        return {**document, "setsGo": "right", **more, "trees": self.trees}


def _link(classes):
    return "logistic" if len(classes) == 2 else "softmax"


def _add_tree(writer, tree, value, output=0):
    leaf = tree.children_left < 0
    gaps_left = getattr(tree, "missing_go_to_left", np.zeros(tree.node_count))
    writer.add(leaf, tree.feature, tree.threshold, tree.children_left, tree.children_right, gaps_left, value, output)


def _forest(model, features):
    writer = _TreeWriter(features, single=True)
    if model.n_outputs_ > 1:
        raise NotExportable(f"{type(model).__name__} with several outputs")
    trees = getattr(model, "estimators_", [model])
    for own in trees:
        value = own.tree_.value[:, 0]
        shares = value / value.sum(axis=1, keepdims=True) if hasattr(model, "classes_") else value[:, 0]
        _add_tree(writer, own.tree_, shares / len(trees))
    return writer.document(model.classes_, link="probability") if hasattr(model, "classes_") else writer.document(_number())


def _gradient_boosting(model, features):
    name = type(model).__name__
    is_number = name == "GradientBoostingRegressor"  # the answer is the sum of the trees, whatever the loss
    if not is_number and model.loss not in ("log_loss", "deviance"):
        raise NotExportable(f'{name}(loss="{model.loss}"), expected "log_loss"')
    if model.init not in (None, "zero"):
        raise NotExportable(f"{name}(init=…) that begins with another model's answers")
    writer = _TreeWriter(features, single=True)
    for step in model.estimators_:
        for output, own in enumerate(step):
            _add_tree(writer, own.tree_, model.learning_rate * own.tree_.value[:, 0, 0], output)
    base = model._raw_predict_init(np.zeros((1, len(features))))[0].tolist()
    if is_number:
        return writer.document(_number(), base=base)
    return writer.document(model.classes_, link=_link(model.classes_), base=base)


def _histogram_boosting(model, features):
    if getattr(model, "_preprocessor", None) is not None:
        raise NotExportable(f"{type(model).__name__} with categorical_features, which reorders the columns from version 1.4 on")
    writer = _TreeWriter(features, single=False)
    for step in model._predictors:
        for output, predictor in enumerate(step):
            n, bits = predictor.nodes, predictor.raw_left_cat_bitsets
            sets = [
                {c for c in range(256) if bits[i][c // 32] >> (c % 32) & 1} if own else None
                for i, own in zip(n["bitset_idx"], n["is_categorical"])
            ]
            writer.add(n["is_leaf"].astype(bool), n["feature_idx"], n["num_threshold"], n["left"], n["right"], n["missing_go_to_left"], n["value"], output, sets)
    base = np.ravel(model._baseline_prediction).tolist()
    if hasattr(model, "classes_"):
        return writer.document(model.classes_, link=_link(model.classes_), base=base)
    return writer.document(_number("log" if model.loss in ("poisson", "gamma") else "identity"), base=base)


_TREES = {
    "DecisionTreeClassifier": _forest,
    "ExtraTreeClassifier": _forest,
    "RandomForestClassifier": _forest,
    "ExtraTreesClassifier": _forest,
    "GradientBoostingClassifier": _gradient_boosting,
    "HistGradientBoostingClassifier": _histogram_boosting,
    "DecisionTreeRegressor": _forest,
    "ExtraTreeRegressor": _forest,
    "RandomForestRegressor": _forest,
    "ExtraTreesRegressor": _forest,
    "GradientBoostingRegressor": _gradient_boosting,
    "HistGradientBoostingRegressor": _histogram_boosting,
}
