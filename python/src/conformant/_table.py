"""Tables as they come: DataFrames, arrays and lists of rows as columns by name, and these as the lines that the engine reads."""

from __future__ import annotations

import base64
import json
import sys
from typing import Any, Iterator, Optional, Sequence

import numpy as np

from ._program import shared


class Frame:
    """The columns of a table: names, where it has some, and a sequence of values for each."""

    def __init__(self, names: Optional[list[str]], columns: list[Any], rows: int) -> None:
        self.names, self.columns, self.rows = names, columns, rows

    @staticmethod
    def of(X: Any) -> "Frame":
        if type(X).__module__.split(".")[0] == "polars" or (hasattr(X, "to_dict") and hasattr(X, "get_columns")):
            columns = X.to_dict(as_series=False)  # a DataFrame of Polars
            return Frame(list(columns), [object_array(own) for own in columns.values()], len(X))
        if shared()._is_frame(X):
            return Frame(_names(X.columns), [X.iloc[:, j] for j in range(X.shape[1])], len(X))
        if isinstance(X, (list, tuple)) and len(X) > 0 and all(isinstance(row, dict) for row in X):
            names = list(dict.fromkeys(name for row in X for name in row))
            return Frame(names, [object_array([row.get(name) for row in X]) for name in names], len(X))
        if hasattr(X, "toarray"):
            raise TypeError("A sparse matrix was passed, but dense data is required. Use X.toarray() to convert to a dense array.")
        table = shared()._as_table(_numbers(X) if isinstance(X, (list, tuple)) else X)
        return Frame(None, list(table.T), len(table))

    def joined(self, groups: Sequence[str], fitting: bool = False) -> "Frame":
        """The table with each group of 0/1 columns as one column: `color_red` and `color_blue` as `color`. A row without a 1 is missing."""
        names, columns = self.named(), list(self.columns)
        for group in groups:
            if group in names:
                continue
            bits = [j for j, name in enumerate(names) if name.startswith(group) and name[len(group) : len(group) + 1] in tuple("_=.")]
            bits = [j for j in bits if len(names[j]) > len(group) + 1]
            if fitting and len(bits) < 2:
                raise ValueError(f"one_hot requires two or more columns '{group}_VALUE', but X has only {', '.join(names)}")
            if not bits:
                continue
            values = _join([columns[j] for j in bits], [names[j] for j in bits], [names[j][len(group) + 1 :] for j in bits])
            kept = [j for j in range(len(names)) if j not in bits]
            names, columns = [*(names[j] for j in kept), group], [*(columns[j] for j in kept), values]
        return Frame(names, columns, self.rows)

    def named(self) -> list[str]:
        return self.names if self.names is not None else [f"x{j}" for j in range(len(self.columns))]


def _join(columns: Sequence[Any], names: Sequence[str], values: Sequence[str]) -> np.ndarray:
    bits = np.stack([shared()._read_column({"name": name, "kind": "binary"}, own) for name, own in zip(names, columns)], axis=1)
    several = np.flatnonzero(np.nansum(bits, axis=1) > 1)
    if len(several) > 0:
        raise ValueError(f"row {several[0]}: expected a 1 in at most one of the columns {', '.join(names)}")
    own = np.where((bits == 1).any(axis=1), np.argmax(bits == 1, axis=1), len(values))
    return object_array([*values, None])[own]


def _names(columns: Any) -> Optional[list[str]]:
    """The names of a DataFrame; those that are all numbers are positions, as in scikit-learn."""
    names = list(columns)
    if all(isinstance(name, str) for name in names):
        twice = next((name for j, name in enumerate(names) if name in names[:j]), None)
        if twice is not None:
            raise ValueError(f"column {twice!r} occurs twice")
        return names
    if any(isinstance(name, str) for name in names):
        raise TypeError("Feature names are only supported if all input features have string names: use X.columns = X.columns.astype(str)")
    return None


def _numbers(rows: Sequence[Any]) -> Any:
    """Rows as an array, if it has numbers only: that is read faster."""
    try:
        table = np.array(rows)
    except ValueError:
        return rows
    return table if table.dtype.kind in "fiubc" else rows


def object_array(values: Sequence[Any]) -> np.ndarray:
    array = np.empty(len(values), dtype=object)
    array[:] = values
    return array


def encode(name: str, frame_columns: list[tuple[str, Any]], rows: int) -> tuple[dict[str, Any], Iterator[bytes]]:
    """The head of a table and, one by one, the lines of its columns."""
    head = {"name": name, "rows": rows, "columns": len(frame_columns)}
    return head, (json.dumps(_encode_column(own, values)).encode() for own, values in frame_columns)


def has_categories(values: Any) -> bool:
    return getattr(getattr(values, "dtype", None), "categories", None) is not None


def _encode_column(name: str, values: Any) -> dict[str, Any]:
    dtype = getattr(values, "dtype", None)
    if has_categories(values):
        texts = [None if shared()._is_gap(own) else _text_of(name, own) for own in dtype.categories]
        codes = np.asarray(values.cat.codes).astype(np.int64)
        return _column(name, "text", dtype, texts=texts, codes=codes)
    array = as_array(values)
    if array.dtype.kind in "fiu":
        return _encode_numbers(name, array.astype(float), dtype)
    if array.dtype.kind == "b":
        return _column(name, "boolean", dtype, texts=["false", "true"], codes=array.astype(np.int64))
    if array.dtype.kind in "mM":
        return _column(name, "time", dtype, texts=[], codes=np.full(len(array), -1))
    return _encode_objects(name, array, dtype)


def as_array(values: Any) -> np.ndarray:
    """A column as a NumPy array: of numbers, if it has numbers, dates and missing values only."""
    pandas = sys.modules.get("pandas")
    if pandas is None or not isinstance(values, pandas.Series):
        array = np.asarray(values)
        return _days(array) if array.dtype.kind == "M" else array
    types = pandas.api.types
    if types.is_bool_dtype(values.dtype) and not values.isna().any():
        return values.to_numpy(dtype=bool)
    if types.is_numeric_dtype(values.dtype) and not types.is_bool_dtype(values.dtype):
        return values.to_numpy(dtype=float, na_value=np.nan)
    if types.is_datetime64_any_dtype(values.dtype):
        return _days((values if values.dt.tz is None else values.dt.tz_localize(None)).to_numpy())
    return values.to_numpy(dtype=object, na_value=None)


def dates_as_days(values: Any) -> Any:
    """A column of dates as numbers, any other as it is."""
    return as_array(values) if getattr(getattr(values, "dtype", None), "kind", None) == "M" else values


def _days(times: np.ndarray) -> np.ndarray:
    """Days from 1970-01-01 with the fraction of the day, as the command reads dates; NaN for NaT."""
    day, rest = np.divmod(times.astype("M8[us]").astype(np.int64), 86_400_000_000)
    return np.where(np.isnat(times), np.nan, day + rest / 1e6 / 86400)


def _encode_numbers(name: str, numbers: np.ndarray, dtype: Any) -> dict[str, Any]:
    missing = np.isnan(numbers)
    bad = np.flatnonzero(~missing & ~(np.abs(numbers) <= shared().LARGEST))
    if len(bad) > 0:
        shared()._reject({"name": name, "kind": "numeric"}, float(numbers[bad[0]]), int(bad[0]))
    own, codes = np.unique(numbers[~missing] + 0.0, return_inverse=True)  # + 0.0: no negative zero
    all_codes = np.full(len(numbers), -1)
    all_codes[~missing] = codes
    numbers_text = base64.b64encode(own.astype("<f8").tobytes()).decode()
    return _column(name, "number", dtype, numbers=numbers_text, codes=all_codes)


def _encode_objects(name: str, values: np.ndarray, dtype: Any) -> dict[str, Any]:
    """Values of any type: numbers or truth values, if all of them are, else texts."""
    is_gap = shared()._is_gap
    codes = np.full(len(values), -1)
    places: dict[Any, int] = {}
    for r, value in enumerate(values):
        try:
            place = places.get((type(value), value))
            if place is None:
                if is_gap(value):
                    continue
                place = places[(type(value), value)] = len(places)
        except TypeError:
            _text_of(name, value, r)
            raise
        codes[r] = place
    distinct = [value for _, value in places]
    if distinct and all(isinstance(value, (bool, np.bool_)) for value in distinct):
        texts = ["true" if value else "false" for value in distinct]
        return _column(name, "boolean", dtype, texts=texts, codes=codes)
    if distinct and all(is_number(value) for value in distinct):
        numbers = np.array([float(value) for value in distinct])
        return _encode_numbers(name, np.append(numbers, np.nan)[codes], dtype)
    texts = [_text_of(name, value) for value in distinct]
    return _column(name, "text", dtype, texts=texts, codes=codes)


def is_number(value: Any) -> bool:
    import decimal

    return isinstance(value, (int, float, np.number, decimal.Decimal)) and not isinstance(value, bool)


def read_number(text: str) -> Optional[float]:
    """The number that a text is, None for any other text."""
    return float(text) if shared()._NUMBER.fullmatch(text) else None


def _text_of(name: str, value: Any, row: Optional[int] = None) -> str:
    try:
        return shared()._text(value)
    except TypeError:
        where = "" if row is None else f", row {row}"
        raise TypeError(f"column {name!r}{where}: argument must be a string, a truth value or a number, got {value!r}") from None


def _column(name: str, storage: str, dtype: Any, *, codes: np.ndarray, **values: Any) -> dict[str, Any]:
    texts = values.get("texts")
    if texts is not None:  # different values may have one text, and a category may be missing
        places: dict[Any, int] = {}
        own = np.array([-1 if text is None else places.setdefault(text, len(places)) for text in texts] + [-1])
        values["texts"], codes = list(places), own[codes]
    return {
        "name": name,
        "storage": storage,
        "type": str(dtype),
        "codes": base64.b64encode(codes.astype("<i4").tobytes()).decode(),
        **values,
    }
