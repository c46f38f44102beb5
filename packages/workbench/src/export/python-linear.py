# The sum of a linear regressor ----------------------------------------------------------------------------------------

_LINK, _START = MODEL["link"], MODEL["intercept"][0]


def _sums_as_scores(model):
    """The model with the scores of several classes in place of its sum η, so that what scores classes also expects numbers.

    log link: the scores of 0 and η are log P(component, row) without and with log E[exp(η)]. Identity: E[η] takes the place
    of log E[exp(η)], but for the Gaussian's part, which is E + variance / 2: half the difference of η and -η has E alone. η
    is divided by a power of two near its largest spread, so that its square stays beside log P without loss.

    Returns the model and the divisor.
    """
    columns, components, block = model["columns"], model["components"], model.get("block", [])
    weights = [np.array(column["weights"], float) for column in columns]  # slots × 1
    scores = []  # per column those of its atoms
    for column, own in zip(columns, weights):
        values = np.array(column["atoms"], float) if column["kind"] == "numeric" else np.arange(2.0)
        scores.append(own[0, 0] * values if column["kind"] in ("numeric", "binary") else own[:, 0])
    unit, factors = 1.0, np.array([0.0, 1.0])
    if _LINK == "identity":
        spreads = [np.ptp(own) for own in scores]
        for component in components if block else []:
            deviations = [np.sqrt(row[-1]) for row in component["gaussian"]["covariance"]]
            spreads += [abs(weights[i][0, 0]) * own for i, own in zip(block, deviations)]
        largest = max(spreads, default=0)
        unit = 2.0 ** np.ceil(np.log2(largest)) if largest > 0 else 1.0
        factors = np.array([0.0, 1.0, -1.0] if block else [0.0, 1.0]) / unit

    def with_sums(component):
        log_q = [np.array(own, float)[:, None] for own in component["logQ"]]
        return {**component, "logZ": [_worth(q, own[:, None] * factors) for q, own in zip(log_q, scores)]}

    scored = {
        "intercept": 0 * factors,
        "columns": [{**column, "weights": own * factors} for column, own in zip(columns, weights)],
        "components": [with_sums(component) for component in components],
    }
    return {**model, **scored}, unit


def _worth(log_q, scores):
    """What a missing column adds: E[s], or log E[exp(s)] under the log link. Atoms × sums."""
    if _LINK == "identity":
        return (np.exp(log_q) * scores).sum(axis=0)
    return _log_sum(log_q + scores, 0)


def _log_sum(logs, axis):
    largest = logs.max(axis=axis, keepdims=True)
    return np.squeeze(largest, axis) + np.log(np.exp(logs - largest).sum(axis=axis))


MODEL, _UNIT = _sums_as_scores(MODEL)
_COLUMNS = MODEL["columns"]


def _answer_linear(cells, one_row):
    """Σ P(component | row) E[η], or the same of exp(η), n × 1, and its standard error, 0: it is exact."""
    scores = _joint_scores(cells)
    if _LINK == "log":
        return np.exp(_START + _log_sum(scores[:, :, 1], 1) - _log_sum(scores[:, :, 0], 1))[:, None], 0.0
    shares = np.exp(scores[:, :, 0] - scores[:, :, 0].max(axis=1, keepdims=True))
    sums = scores[:, :, 1] - scores[:, :, 0]
    if len(_BLOCK) > 0:
        sums = (scores[:, :, 1] - scores[:, :, 2]) / 2
    return (_START + _UNIT * (shares * sums).sum(axis=1) / shares.sum(axis=1))[:, None], 0.0
