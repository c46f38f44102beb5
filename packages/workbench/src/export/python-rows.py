# Rows -----------------------------------------------------------------------------------------------------------------

_COLUMNS = MODEL["columns"]  # as the model counts them; a column with "gapOf" marks the missing values of another one
COLUMNS = [column for column in _COLUMNS if "gapOf" not in column]  # those of a row
GAP_TEXTS = {"", "NA", "NaN", "nan", "null", "NULL"}
LARGEST = 1e100
_ESTIMATOR = "ConformantRegressor" if "output" in MODEL else "ConformantClassifier"
_NUMBER = re.compile(r" *[-+]?(?:(?:0|[1-9][0-9]*)(?:[.][0-9]*)?|[.][0-9]+)(?:[eE][-+]?[0-9]{1,3})? *")
_BITS = {"0": 0.0, "1": 1.0, "false": 0.0, "true": 1.0}


def _read_rows(rows, extra):
    """Rows as the model counts them: n × columns, a number or the position of a value, NaN for a gap."""
    return _read_cells(*_sources(rows, extra))


def _read_cells(sources, n):
    """The same from the values of each column of a row, None for a column that is missing in every row."""
    places = {column["name"]: i for i, column in enumerate(_COLUMNS)}
    cells = np.full((n, len(_COLUMNS)), np.nan)
    for column, source in zip(COLUMNS, sources):
        if source is not None:
            cells[:, places[column["name"]]] = _read_column(column, source)
    for i, column in enumerate(_COLUMNS):
        if "gapOf" in column:
            cells[:, i] = np.isnan(cells[:, places[column["gapOf"]]])
    return cells


def _sources(rows, extra):
    """The values of each column of the model, None for a column that the rows do not have, and the number of rows."""
    if extra not in ("error", "ignore"):
        raise ValueError(f'extra must be "error" or "ignore", got {extra!r}')
    if _is_frame(rows):
        names = list(rows.columns)
        sources = [rows.iloc[:, j] for j in range(len(names))]
        return (_by_name(names, sources, extra) if any(isinstance(name, str) for name in names) else _by_place(sources)), len(rows)
    if isinstance(rows, (list, tuple)) and all(isinstance(row, dict) for row in rows):
        names = list(dict.fromkeys(name for row in rows for name in row))
        return _by_name(names, [[row.get(name) for row in rows] for name in names], extra), len(rows)
    table = _as_table(rows)
    return _by_place(list(table.T)), len(table)


def _as_table(rows):
    """An array, or a list of rows, as a 2-D array."""
    if hasattr(rows, "toarray"):
        raise TypeError("rows must be dense, got a sparse matrix: use rows.toarray()")
    if isinstance(rows, (list, tuple)):
        table = np.array([_cells_of(row) for row in rows], dtype=object)
    elif hasattr(rows, "__array__") and not hasattr(rows, "to_frame"):  # a Series has to_frame
        table = np.asarray(rows)
    else:
        raise TypeError(f"rows must be a DataFrame, a list of dicts or a 2-D array, got {type(rows).__name__}")
    if table.ndim != 2:
        raise ValueError(f"Reshape your data: expected 2D array, got {table.ndim}D array instead")
    if table.shape[1] == 0:
        raise ValueError(f"Found array with 0 feature(s) (shape={table.shape}) while a minimum of 1 is required.")
    if table.dtype.kind == "c":
        raise ValueError("Complex data not supported")
    return table


def _cells_of(row):
    if isinstance(row, (dict, str, bytes)) or not hasattr(row, "__iter__"):
        raise TypeError(f"Reshape your data: expected a list of rows, got {type(row).__name__} in it")
    return list(row)


def _is_frame(rows):
    pandas = sys.modules.get("pandas")  # a DataFrame can only come from where pandas is loaded
    return pandas is not None and isinstance(rows, pandas.DataFrame)


def _by_name(names, sources, extra):
    if len(set(names)) < len(names):
        raise ValueError(f"column {next(name for j, name in enumerate(names) if name in names[:j])!r} occurs twice")
    known = {column["name"] for column in COLUMNS}
    unknown = [name for name in names if name not in known and name != MODEL.get("label")]
    if unknown and extra == "error":
        raise ValueError(f'{unknown[0]!r} is not a column of the model; extra="ignore" ignores such columns')
    absent = [column["name"] for column in COLUMNS if column["name"] not in names]
    if unknown and absent:  # perhaps one is a misspelling of the other
        warnings.warn(f"the rows lack {_listed(absent)}: missing in every row; {_listed(unknown)}: not in the model, ignored", stacklevel=2)
    places = dict(zip(names, sources))
    return [places.get(column["name"]) for column in COLUMNS]


def _listed(names):
    return ", ".join(repr(name) for name in names[:5]) + (f" and {len(names) - 5} more" if len(names) > 5 else "")


def _by_place(sources):
    if len(sources) != len(COLUMNS):
        raise ValueError(f"X has {len(sources)} features, but {_ESTIMATOR} is expecting {len(COLUMNS)} features as input")
    return sources


def _read_column(column, source):
    """One column as numbers or positions."""
    categories = getattr(getattr(source, "dtype", None), "categories", None)
    if categories is not None:  # a categorical of pandas: each category is read once
        codes = np.asarray(source.cat.codes)
        own = _read_values(column, list(categories), np.bincount(codes[codes >= 0], minlength=len(categories)))
        return np.append(own, np.nan)[codes]
    if column["kind"] != "categorical":
        array = source if isinstance(source, np.ndarray) else getattr(source, "values", None)
        if isinstance(array, np.ndarray) and array.dtype.kind in "fiub":
            numbers = array.astype(float)
            bad = np.flatnonzero(~(np.isnan(numbers) | (np.abs(numbers) <= LARGEST)))
            if column["kind"] == "binary":
                bad = np.flatnonzero(~(np.isnan(numbers) | (numbers == 0) | (numbers == 1)))
            if len(bad) > 0:
                _reject(column, array[bad[0]], bad[0])
            return _binned(column, numbers)
    return _read_values(column, source)


def _read_values(column, values, rows=None):
    """Values of any type, one by one; equal ones are read once. rows: in how many rows each of them is, by default in one."""
    read = {"categorical": _category_reader, "binary": _bit_reader}.get(column["kind"], _number_reader)(column)
    known, unknown = {}, {}
    out = np.full(len(values), np.nan)
    for r, value in enumerate(values):
        if _is_gap(value):
            continue
        try:
            key = (type(value), value)
            if key not in known:
                known[key] = read(value)
            out[r] = known[key]
            if column["kind"] == "categorical" and np.isnan(out[r]) and _text(value) not in GAP_TEXTS:
                unknown[value] = unknown.get(value, 0) + (1 if rows is None else int(rows[r]))
        except (TypeError, ValueError):
            _reject(column, value, r)
    count = sum(unknown.values())
    if count > 0:
        texts = _listed([value for value in sorted(unknown, key=unknown.get, reverse=True) if unknown[value] > 0])
        is_one = "1 row" if count == 1 else f"{count} rows"
        warnings.warn(f"column {column['name']!r}: {is_one} with an unknown category, counted as missing ({texts})", stacklevel=2)
    return _binned(column, out)


def _is_gap(value):
    if value is None:
        return True
    if isinstance(value, (str, int)):
        return False
    same = value == value  # NaN and NaT are not equal to themselves, and NA is neither
    return type(same).__name__ == "NAType" or (isinstance(same, (bool, np.bool_)) and not same)


def _text(value):
    """A value as the model's categories are written: whole numbers without a fraction, truth values in small letters."""
    if isinstance(value, (bool, np.bool_)):
        return "true" if value else "false"
    if isinstance(value, (float, np.floating)):
        if float(value).is_integer() and abs(value) < 1e21:
            return str(int(value))
        mantissa, _, exponent = str(value).partition("e")
        if exponent and -7 <= int(exponent) < 0:
            return format(decimal.Decimal(str(value)), "f")
        return mantissa + (f"e{int(exponent):+d}" if exponent else "")
    if isinstance(value, (str, int, np.integer, decimal.Decimal)):
        return str(value)
    raise TypeError


def _category_key(text):
    """What two spellings of one category share: 1, 1.0 and 1. are one, and so are true and True."""
    if text.lower() in ("true", "false"):
        return text.lower()
    return text.split(".")[0] if re.fullmatch(r"[-+]?[0-9]+[.]0*", text) else text


def _category_reader(column):
    values = column["values"]
    keys = [_category_key(value) for value in values]
    places = {key: v for v, key in enumerate(keys) if keys.count(key) == 1}
    for own, other in ((["true", "false"], ["1", "0"]), (["1", "0"], ["true", "false"])):  # the other notation of truth
        if len(places) == len(keys) and set(keys) <= set(own):
            places.update((other[own.index(key)], v) for v, key in enumerate(keys))
    places.update((value, v) for v, value in enumerate(values))

    def read(value):
        text = _text(value)
        return places.get(text, places.get(_category_key(text), np.nan))  # a value that the model does not know is a gap

    return read


def _bit_reader(column):
    def read(value):
        text = _text(value)
        return np.nan if text in GAP_TEXTS else _BITS[_category_key(text)] if _category_key(text) in _BITS else _fail()

    return read


def _number_reader(column):
    def read(value):
        if isinstance(value, str):
            if value in GAP_TEXTS:
                return np.nan
            number = float(value) if _NUMBER.fullmatch(value) else _fail()
        else:
            number = _fail() if isinstance(value, (bytes, complex)) else float(value)
        return number if abs(number) <= LARGEST else _fail()

    return read


def _fail():
    raise ValueError


def _binned(column, numbers):
    """Numbers of a binned column as positions of their bins."""
    if column["kind"] != "binned":
        return numbers
    return np.where(np.isnan(numbers), np.nan, np.searchsorted(column["edges"], numbers, side="right"))


def _reject(column, value, row):
    need = {"categorical": "a text, number or truth value", "binary": "0 or 1"}.get(column["kind"], "a finite number")
    infinite = " (infinity)" if isinstance(value, float) and abs(value) == np.inf else ""
    raise ValueError(f"column {column['name']!r}, row {row}: must be {need} or missing, got {value!r}{infinite}")
