# Sums over columns ----------------------------------------------------------------------------------------------------
# Each gives the classes, or what is said of a number, the intercepts, and the coefficients of features: one row for two classes and
# for a number, else one per class.


def _sum_of_columns(answer, intercept, coef, features):
    """Features of the same column are added up."""
    intercept = np.array(intercept, float)
    numbers, categories, bins = {}, {}, {}
    for feature, weights in zip(features, np.array(coef, float).T):
        if isinstance(feature, Number):
            intercept += weights * feature.shift
            numbers[feature.column] = numbers.get(feature.column, 0) + weights * feature.slope
        elif isinstance(feature, Categories):
            intercept += weights * feature.other
            own = categories.setdefault(feature.column, {})
            for category, value in feature.values.items():
                own[category] = own.get(category, 0) + weights * (value - feature.other)
        else:
            bins.setdefault(feature.column, []).append((feature, weights))
    both = [column for column in numbers if column in categories or column in bins] + [c for c in categories if c in bins]
    if both:
        raise NotExportable(f"column {both[0]!r} counts as a number and by its values")
    terms = [(column, weights) for column, weights in numbers.items()]
    terms += [(f"{column}={category}", w) for column, own in categories.items() for category, w in own.items()]
    names = [name for name, _ in terms]
    if len(set(names)) < len(names):
        raise NotExportable(f"two features are called {next(n for j, n in enumerate(names) if n in names[:j])!r}")
    document = {
        "features": names,
        "intercept": intercept.tolist(),
        "coef": np.array([weights for _, weights in terms]).reshape(len(terms), len(intercept)).T.tolist(),
    }
    if bins:
        document["binned"] = [_binned(column, own) for column, own in bins.items()]
    if not isinstance(answer, dict):
        return {"classes": list(answer), **document}
    for part in [document, *document.get("binned", [])]:
        part["coef"] = part["coef"][0]
    return {**answer, **document, "intercept": document["intercept"][0]}


def _binned(column, parts):
    """Several features of the bins of one column as one: its edges are those of all."""
    edges = sorted({edge for feature, _ in parts for edge in feature.edges})
    inside = [-np.inf, *edges]
    coef = sum(np.outer(w, [f.values[np.searchsorted(f.edges, x, side="right")] for x in inside]) for f, w in parts)
    return {"column": column, "edges": edges, "coef": coef.tolist()}


def _logistic(model, features):
    way = getattr(model, "multi_class", "auto")
    separate = way == "ovr" or (way == "auto" and getattr(model, "solver", "") in ("liblinear", "newton-cholesky"))
    if len(model.classes_) > 2 and separate:
        raise NotExportable(f"{type(model).__name__} one-vs-rest: its probabilities are no softmax of a sum over columns")
    factor = 2.0 if way == "multinomial" and len(model.classes_) == 2 else 1.0  # the softmax of −z and z
    return model.classes_, factor * model.intercept_, factor * model.coef_, features


def _sgd(model, features):
    if model.loss not in ("log", "log_loss"):
        raise NotExportable(f'SGDClassifier(loss="{model.loss}"), expected "log_loss"')
    if len(model.classes_) > 2:
        raise NotExportable("SGDClassifier one-vs-rest: its probabilities are no softmax of a sum over columns")
    return model.classes_, model.intercept_, model.coef_, features


def _discriminant(model, features):
    return model.classes_, model.intercept_, model.coef_, features


def _log_odds(classes, scores):
    """Scores by class, features last, as coefficients: of two classes only the difference counts."""
    return scores[1:] - scores[:1] if len(classes) == 2 else scores


def _gaussian_bayes(model, features):
    """log N(x; θ, σ²) is a line in x where the classes share σ², and anything goes where x has few values."""
    mean, variance = model.theta_, getattr(model, "var_", getattr(model, "sigma_", None))
    intercept = np.log(model.class_prior_)
    coef, out = [], []
    for j, feature in enumerate(features):
        if isinstance(feature, Number) and not feature.is_bit and np.ptp(variance[:, j]) > 1e-12 * variance[:, j].max():
            raise NotExportable(f"GaussianNB has a variance of {feature.column!r} for each class, which makes squares of a number")
        density = lambda x, k: -((x - mean[k, j]) ** 2) / (2 * variance[k, j]) - np.log(2 * np.pi * variance[k, j]) / 2
        if isinstance(feature, Number) and not feature.is_bit:
            intercept = intercept + density(0.0, slice(None))
            coef.append(mean[:, j] / variance[:, j])
            out.append(feature)
            continue
        for k in range(len(mean)):
            coef.append(np.arange(len(mean)) == k)
            out.append(feature.map(lambda x, k=k: density(x, k), ""))
    coef = np.array(coef, float).T
    return model.classes_, _log_odds(model.classes_, intercept), _log_odds(model.classes_, coef), out


def _bernoulli_bayes(model, features):
    if model.binarize is not None:
        features = [_binarized(feature, model.binarize) for feature in features]
    yes, no = model.feature_log_prob_, np.log(-np.expm1(model.feature_log_prob_))
    intercept = model.class_log_prior_ + no.sum(axis=1)
    if model.binarize is None and any(isinstance(feature, Number) and not feature.is_bit for feature in features):
        warnings.warn("BernoulliNB(binarize=None) takes numbers other than 0 and 1 as they are", stacklevel=2)
    return model.classes_, _log_odds(model.classes_, intercept), _log_odds(model.classes_, yes - no), features


def _binarized(feature, threshold):
    if isinstance(feature, Number) and not feature.is_bit:
        if feature.slope <= 0:
            raise NotExportable(f"BernoulliNB of {feature.column!r} behind a step that turns it around")
        return Bins(feature.column, [feature.edge(np.nextafter(threshold, np.inf))], [0.0, 1.0])
    return feature.map(lambda x: float(x > threshold), "")


def _calibrated(model, features):
    """One sigmoid of a linear decision: log-odds −(a · decision + b)."""
    if len(model.classes_) > 2:
        raise NotExportable("CalibratedClassifierCV one-vs-rest: its probabilities are no softmax of a sum over columns")
    if len(model.calibrated_classifiers_) != 1:
        raise NotExportable("CalibratedClassifierCV averages several classifiers: use ensemble=False or cv=\"prefit\"")
    own = model.calibrated_classifiers_[0]
    calibrator = own.calibrators[0]
    if not hasattr(calibrator, "a_"):
        raise NotExportable("CalibratedClassifierCV(method=\"isotonic\") is no sigmoid")
    base = getattr(own, "estimator", None) or own.base_estimator
    if type(base).__name__ == "Pipeline":
        for _, step in base.steps[:-1]:
            features = _transform(step, features)
        base = base.steps[-1][1]
    if not hasattr(base, "coef_") or not hasattr(base, "decision_function"):
        raise NotExportable(f"CalibratedClassifierCV of {type(base).__name__}, expected a linear decision")
    coef = np.asarray(base.coef_.toarray() if hasattr(base.coef_, "toarray") else base.coef_)
    return model.classes_, -(calibrator.a_ * base.intercept_ + calibrator.b_), -calibrator.a_ * coef, features


def _boosting_machine(model, features):
    """An explainable boosting machine without pairs: a table per column (bins_, term_features_, term_scores_)."""
    intercept = np.atleast_1d(np.array(model.intercept_, float))
    coef, out = [], []
    for term, scores in zip(model.term_features_, model.term_scores_):
        if len(term) > 1:
            raise NotExportable(f"{type(model).__name__} with pairs of columns: train it with interactions=0")
        scores = np.array(scores, float).reshape(len(scores), -1)  # the gap first, the unknown last
        cuts = model.bins_[term[0]][0]
        column = features[term[0]].column
        for k in range(scores.shape[1]):
            own = scores[:, k].tolist()
            coef.append(np.arange(len(intercept)) == k)
            if isinstance(cuts, dict):
                out.append(Categories(column, {_text(value): own[code] for value, code in cuts.items()}, own[-1]))
            else:
                out.append(Bins(column, [float(cut) for cut in cuts], own[1:-1]))
    return _classes_of_machine(model), intercept, np.array(coef, float).T, out


def _classes_of_machine(model):
    if hasattr(model, "classes_"):
        return model.classes_
    link = getattr(model, "link_", "identity")
    if link not in ("identity", "log"):
        raise NotExportable(f"{type(model).__name__} with the link {link}, expected identity or log")
    return _number(link)


def _regression(model, features):
    """A sum over columns that is the answer."""
    return _number(), *_one_row(model), features


def _generalized(model, features):
    """A generalized linear model, whose link is the logarithm unless its power is 0 or less."""
    link = {"PoissonRegressor": "log", "GammaRegressor": "log"}.get(type(model).__name__) or model.link
    if link == "auto":
        link = "log" if model.power > 0 else "identity"
    return _number(link), *_one_row(model), features


def _one_row(model):
    """The intercept and the coefficients of a regressor of one number."""
    coef = np.atleast_2d(model.coef_.toarray() if hasattr(model.coef_, "toarray") else model.coef_)
    if len(coef) > 1:
        raise NotExportable(f"{type(model).__name__} predicts {len(coef)} numbers, expected one")
    return np.atleast_1d(np.asarray(model.intercept_, float)), coef


_REGRESSIONS = [
    "LinearRegression", "Ridge", "RidgeCV", "Lasso", "LassoCV", "LassoLars", "LassoLarsCV", "LassoLarsIC", "Lars",
    "LarsCV", "ElasticNet", "ElasticNetCV", "BayesianRidge", "ARDRegression", "HuberRegressor",
    "TheilSenRegressor", "OrthogonalMatchingPursuit", "OrthogonalMatchingPursuitCV", "QuantileRegressor",
    "SGDRegressor", "LinearSVR",
]

_SUMS = {
    "LogisticRegression": _logistic,
    "LogisticRegressionCV": _logistic,
    "SGDClassifier": _sgd,
    "LinearDiscriminantAnalysis": _discriminant,
    "GaussianNB": _gaussian_bayes,
    "BernoulliNB": _bernoulli_bayes,
    "CalibratedClassifierCV": _calibrated,
    "ExplainableBoostingClassifier": _boosting_machine,
    "ExplainableBoostingRegressor": _boosting_machine,
    **dict.fromkeys(_REGRESSIONS, _regression),
    "PoissonRegressor": _generalized,
    "GammaRegressor": _generalized,
    "TweedieRegressor": _generalized,
}
