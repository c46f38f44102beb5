# Steps ----------------------------------------------------------------------------------------------------------------


def _transform(step, features):
    """The features behind a step."""
    name = type(step).__name__
    if step is None or (isinstance(step, str) and step == "passthrough"):
        return features
    if name == "Pipeline":
        for _, own in step.steps:
            features = _transform(own, features)
        return features
    if name not in _STEPS:
        raise NotExportable(f"the step {name} cannot be exported; known are: {', '.join(_STEPS)}, Pipeline, passthrough")
    return _STEPS[name](step, features)


def _column_transformer(step, features):
    names = [feature.column if isinstance(feature, Number) else None for feature in features]
    out = []
    for _, own, selection in step.transformers_:
        if isinstance(own, str) and own == "drop":
            continue
        chosen = [features[i] for i in _places(selection, names)]
        out += _transform(own, chosen) if chosen else []
    return out


def _places(selection, names):
    """Positions of the columns that a ColumnTransformer selects: names, positions, a mask or a slice."""
    if isinstance(selection, slice):
        if isinstance(selection.start, str) or isinstance(selection.stop, str):
            start = names.index(selection.start) if selection.start is not None else 0
            stop = names.index(selection.stop) + 1 if selection.stop is not None else len(names)  # names are inclusive
            return range(start, stop)
        return range(len(names))[selection]
    items = [selection] if isinstance(selection, (str, int)) else list(selection)
    if items and all(isinstance(item, (bool, np.bool_)) for item in items):
        return [i for i, chosen in enumerate(items) if chosen]
    return [names.index(item) if isinstance(item, str) else range(len(names))[item] for item in items]


def _scaler(parts):
    """A step that maps every feature by a line; parts gives slope, shift and the computation of feature j."""

    def transform(step, features):
        return [feature.line(*parts(step, j)) for j, feature in enumerate(features)]

    return transform


def _standard(step, j):
    mean = 0.0 if step.mean_ is None or not step.with_mean else step.mean_[j]
    scale = 1.0 if step.scale_ is None or not step.with_std else step.scale_[j]
    return 1 / scale, -mean / scale, lambda x: (x - mean) / scale


def _min_max(step, j):
    if step.clip:
        raise NotExportable("MinMaxScaler(clip=True) is no line")
    return step.scale_[j], step.min_[j], lambda x: x * step.scale_[j] + step.min_[j]


def _max_abs(step, j):
    return 1 / step.scale_[j], 0.0, lambda x: x / step.scale_[j]


def _robust(step, j):
    centre = step.center_[j] if step.with_centering else 0.0
    scale = step.scale_[j] if step.with_scaling else 1.0
    return 1 / scale, -centre / scale, lambda x: (x - centre) / scale


def _encoder(step, features):
    """OneHotEncoder and OrdinalEncoder are asked what they make of every category, column by column."""
    for feature in features:
        if not (isinstance(feature, Number) and feature.is_raw):
            raise NotExportable(f"{type(step).__name__} behind another step, expected columns of X")
    categories = [[value for value in own if not _is_missing(value)] for own in step.categories_]
    strange = [_unknown(own) if step.handle_unknown != "error" else own[0] for own in categories]
    out = {}
    for j, (feature, own) in enumerate(zip(features, categories)):
        answers = _ask(step, [[*own, strange[j]] if i == j else [first[0]] * (len(own) + 1) for i, first in enumerate(categories)])
        texts = [_text(value) for value in own]
        for f in np.flatnonzero((answers != answers[0]).any(axis=0)):
            known = step.handle_unknown != "error"
            out[f] = Categories(feature.column, dict(zip(texts, answers[:-1, f].tolist())), answers[-1, f] if known else 0.0)
    width = answers.shape[1]
    base = answers[0]
    return [out.get(f, Categories(features[0].column, {}, float(base[f]))) for f in range(width)]


def _ask(step, columns):
    if hasattr(step, "feature_names_in_"):
        import pandas as pd

        rows = pd.DataFrame({name: pd.Series(own, dtype=_dtype(own)) for name, own in zip(step.feature_names_in_, columns)})
    else:
        kinds = {_dtype(own) for own in columns}
        rows = np.array(columns, dtype=kinds.pop() if len(kinds) == 1 else object).T
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        answers = step.transform(rows)
    return np.asarray(answers.toarray() if hasattr(answers, "toarray") else answers, dtype=float)


def _dtype(values):
    return float if all(isinstance(value, (int, float, np.number)) and not isinstance(value, bool) for value in values) else object


def _unknown(categories):
    """A value that is none of the categories."""
    if _dtype(categories) is float:
        return max(categories) + 1
    return "".join(str(value) for value in categories) + "?"


def _is_missing(value):
    return value is None or value != value


def _discretizer(step, features):
    out = []
    for j, feature in enumerate(features):
        if not isinstance(feature, Number) or feature.slope <= 0:
            raise NotExportable("KBinsDiscretizer behind a step that makes categories")
        inner = [feature.edge(edge) for edge in step.bin_edges_[j][1:-1]]
        codes = range(len(inner) + 1)
        if step.encode == "ordinal":
            out.append(Bins(feature.column, inner, [float(code) for code in codes]))
        else:
            out += [Bins(feature.column, inner, [float(code == own) for code in codes]) for own in codes]
    return out


def _imputer(step, features):
    """What fills gaps is left out: what a gap means is learned from the data."""
    if getattr(step, "add_indicator", False):
        raise NotExportable(f"{type(step).__name__}(add_indicator=True) makes features of gaps")
    warnings.warn(f"{type(step).__name__} is left out: what a gap means is learned from the data", stacklevel=2)
    return features


def _function(step, features):
    if step.func is not None:
        raise NotExportable("FunctionTransformer with a function of its own")
    return features


_STEPS = {
    "StandardScaler": _scaler(_standard),
    "MinMaxScaler": _scaler(_min_max),
    "MaxAbsScaler": _scaler(_max_abs),
    "RobustScaler": _scaler(_robust),
    "OneHotEncoder": _encoder,
    "OrdinalEncoder": _encoder,
    "KBinsDiscretizer": _discretizer,
    "SimpleImputer": _imputer,
    "ColumnTransformer": _column_transformer,
    "FunctionTransformer": _function,
}
