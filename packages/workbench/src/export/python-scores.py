# Scores ---------------------------------------------------------------------------------------------------------------

_CHUNK = 1 << 14  # rows that are answered together
_K = 1 if "output" in MODEL else len(MODEL["classes"])  # answers per row
_INTERCEPT = np.array(MODEL["intercept"], float)
_LINEAR = np.array([column["kind"] in ("numeric", "binary") for column in _COLUMNS])
_WEIGHTS = [np.array(column["weights"], float) for column in _COLUMNS]  # one row for w·x, else a row per value
_SLOPES = np.array([w[0] if linear else 0 * w[0] for w, linear in zip(_WEIGHTS, _LINEAR)])
_CONSTANTS = np.array([component["constant"] for component in MODEL["components"]], float)
_LOG_Z = np.array([component["logZ"] for component in MODEL["components"]], float)  # M × columns × K
_LOG_Q = [np.array([component["logQ"][i] for component in MODEL["components"]], float) for i in range(len(_COLUMNS))]
_BLOCK = np.array(MODEL.get("block", []), int)
_IS_MIXTURE = len(_CONSTANTS) > 1 or len(_BLOCK) > 0


def _predict_cells(cells):
    """The expected answers to rows as the model counts them, n × K, and their standard errors."""
    answer = _answer_trees if "trees" in MODEL else _answer_linear if "output" in MODEL else _answer_additive
    answers, errors = np.zeros((len(cells), _K)), np.zeros(len(cells))
    for start in range(0, len(cells), _CHUNK):
        part = slice(start, start + _CHUNK)
        answers[part], errors[part] = answer(cells[part], one_row=len(cells) == 1)
    return answers, errors


def _answer_additive(cells, one_row):
    return _posterior(cells).sum(axis=1), 0.0


def _posterior(cells):
    """P(component, class | row), n × M × K."""
    joint = _joint_scores(cells)
    powers = np.exp(joint - joint.max(axis=(1, 2), keepdims=True))
    return powers / powers.sum(axis=(1, 2), keepdims=True)


def _joint_scores(cells):
    """log P(component, class, row) up to a constant per row, n × M × K."""
    n, M, K = len(cells), len(_CONSTANTS), len(_INTERCEPT)
    gaps = np.isnan(cells)
    known = np.where(gaps, 0.0, cells)
    scores = _INTERCEPT + known @ _SLOPES
    for i in np.flatnonzero(~_LINEAR):
        scores += np.where(gaps[:, i, None], 0.0, _WEIGHTS[i][known[:, i].astype(int)])
    # A gap is worth log Z to each class. All components say the same of a complete row: what the predictor says.
    joint = scores[:, None, :] + (gaps @ _LOG_Z.transpose(1, 0, 2).reshape(len(_COLUMNS), M * K)).reshape(n, M, K)
    if _IS_MIXTURE:
        open_rows = np.flatnonzero(gaps.any(axis=1))
        evidence = _evidence(known[open_rows], gaps[open_rows])
        if len(_BLOCK) > 0:
            density, worth = _condition_block(known[open_rows][:, _BLOCK], gaps[open_rows][:, _BLOCK])
            evidence += density
            joint[open_rows] += worth
        # Relative to the likeliest component, so that none, however small, drowns the scores of the classes.
        joint[open_rows] += (evidence - evidence.max(axis=1, keepdims=True))[:, :, None]
    largest = joint.max(axis=(1, 2))
    if not np.isfinite(largest).all():
        raise ValueError(f"row {np.flatnonzero(~np.isfinite(largest))[0]}: its numbers are too large for a score")
    return joint


def _evidence(known, gaps):
    """log of each component's weight, and of how common the known cells are in it: n × M."""
    evidence = np.tile(_CONSTANTS, (len(known), 1))
    for i, column in enumerate(_COLUMNS):
        log_q = _LOG_Q[i]
        if log_q.shape[1] > 1:
            x = known[:, i]
            atom = np.searchsorted(column["edges"], x, side="right") if column["kind"] == "numeric" else x.astype(int)
            evidence += np.where(gaps[:, i, None], 0.0, log_q[:, atom].T)
    return evidence
