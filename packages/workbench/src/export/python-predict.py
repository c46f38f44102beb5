# Predicting -----------------------------------------------------------------------------------------------------------

CLASSES = MODEL["classes"]


def predict_proba(rows, extra="ignore", return_errors=False):
    """The expected prediction of each row: what the classifier would answer on average over what is missing.

    rows: a DataFrame, a list of dicts (columns by name, those that are absent are missing) or a 2-D array (columns in the
    order of COLUMNS). None, NaN and NA are gaps. Names that the model does not have are ignored, or an error with extra="error".
    Returns rows × classes, in the order of CLASSES; with return_errors also the standard error of each row, 0 where the
    answer is exact.
    """
    probabilities, errors = _predict_cells(_read_rows(rows, extra))
    return (probabilities, errors) if return_errors else probabilities


def predict(rows, extra="ignore"):
    """The most likely class of each row; a tie goes to the last of the tied classes."""
    return np.array(CLASSES, dtype=object)[_decide(predict_proba(rows, extra))]


def predict_frame(frame, extra="ignore"):
    """Predictions beside the rows of a DataFrame, with its index: the class, and the probability of each class."""
    import pandas as pd

    probabilities = predict_proba(frame, extra)
    answers = pd.DataFrame(probabilities, index=getattr(frame, "index", None), columns=[f"p_{name}" for name in CLASSES])
    answers.insert(0, "prediction", np.array(CLASSES, dtype=object)[_decide(probabilities)])
    return answers


def _decide(probabilities):
    if len(probabilities) == 0:
        return np.zeros(0, int)
    tied = probabilities >= probabilities.max(axis=1, keepdims=True) - TIE
    return probabilities.shape[1] - 1 - np.argmax(tied[:, ::-1], axis=1)
