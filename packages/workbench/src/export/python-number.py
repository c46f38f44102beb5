# Predicting -----------------------------------------------------------------------------------------------------------

OUTPUT = MODEL["output"]


def predict(rows, extra="ignore", return_errors=False):
    """The expected answer of each row: the number that the regressor would give on average over what is missing.

    rows: a DataFrame, a list of dicts (columns by name, those that are absent are missing) or a 2-D array (columns in the
    order of COLUMNS). None, NaN and NA are gaps. Names that the model does not have are ignored, or an error with extra="error".
    Returns one number per row; with return_errors also the standard error of each row, 0 where the answer is exact.
    """
    answers, errors = _predict_cells(_read_rows(rows, extra))
    return (answers[:, 0], errors) if return_errors else answers[:, 0]


def predict_frame(frame, extra="ignore"):
    """Predictions beside the rows of a DataFrame, with its index."""
    import pandas as pd

    return pd.DataFrame({"prediction": predict(frame, extra)}, index=getattr(frame, "index", None))
