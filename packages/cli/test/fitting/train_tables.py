"""Trains logistic regressions with scikit-learn on the tables it ships and on the five datasets as they were published.

    python3 train_tables.py FOLDER DATA

FOLDER gets a table for each (DATA/… is read as it is where that is one), the classifier as JSON, ONNX and PMML, the numbers of
the rows that have answers, and scikit-learn's own answers: with the weights as they are, and for ONNX rounded to float as the
file has them. There is no skl2onnx or sklearn2pmml in Debian: graphs and documents have the shape that those write.
"""

import gzip
import json
import pathlib
import sys
from xml.sax.saxutils import quoteattr

import numpy as np
import onnx
import pandas as pd
from onnx import TensorProto, helper
from sklearn import datasets
from sklearn.linear_model import LogisticRegression

folder, data = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
# Rows that a classifier is trained on: what it has learnt does not matter here.
TRAINED = 2000


def write_json(name, features, classes, coef, intercept):
    document = {"classes": classes, "features": features, "intercept": intercept.tolist(), "coef": coef.tolist()}
    (folder / f"{name}.json").write_text(json.dumps(document, ensure_ascii=False))


def write_onnx(name, numbers, texts, classes, coef, intercept):
    """An input per column; OneHotEncoder for each text; Concat; LinearClassifier; Normalizer."""
    ml = "ai.onnx.ml"
    encoded = [f"ohe{i}" for i in range(len(texts))]
    nodes = [helper.make_node("OneHotEncoder", [column], [encoded[i]], domain=ml, cats_strings=values, zeros=1)
             for i, (column, values) in enumerate(texts.items())]
    flat = [f"flat{i}" for i in range(len(texts))]
    nodes += [helper.make_node("Reshape", [encoded[i], f"shape{i}"], [flat[i]]) for i in range(len(texts))]
    shapes = [helper.make_tensor(f"shape{i}", TensorProto.INT64, [2], [-1, len(values)])
              for i, values in enumerate(texts.values())]
    two = len(classes) == 2
    if two:
        coef, intercept = np.vstack([-coef, coef]), np.hstack([-intercept, intercept])
    nodes += [
        helper.make_node("Concat", numbers + flat, ["columns"], axis=1),
        helper.make_node(
            "LinearClassifier", ["columns"], ["label"], domain=ml, coefficients=coef.ravel().astype(np.float32),
            intercepts=intercept.astype(np.float32), classlabels_strings=classes, multi_class=1,
            post_transform="LOGISTIC" if two else "SOFTMAX"),
        helper.make_node("Normalizer", ["scores"], ["probabilities"], domain=ml, norm="L1"),
    ]
    nodes[-2].output.append("scores")
    inputs = [helper.make_tensor_value_info(column, TensorProto.FLOAT, [None, 1]) for column in numbers]
    inputs += [helper.make_tensor_value_info(column, TensorProto.STRING, [None, 1]) for column in texts]
    outputs = [helper.make_tensor_value_info("label", TensorProto.STRING, [None]),
               helper.make_tensor_value_info("probabilities", TensorProto.FLOAT, [None, len(classes)])]
    graph = helper.make_graph(nodes, "classifier", inputs, outputs, shapes)
    opsets = [helper.make_opsetid("", 17), helper.make_opsetid(ml, 1)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=8, producer_name="train_tables")
    (folder / f"{name}.onnx").write_bytes(model.SerializeToString())


def write_pmml(name, numbers, texts, classes, coef, intercept):
    """RegressionModel; two classes have an empty second table."""
    fields = [f"<DataField name={quoteattr(c)} optype=\"continuous\" dataType=\"double\"/>" for c in numbers]
    for column, values in [("the class", classes), *texts.items()]:
        inner = "".join(f"<Value value={quoteattr(value)}/>" for value in values)
        fields.append(f"<DataField name={quoteattr(column)} optype=\"categorical\" dataType=\"string\">{inner}</DataField>")
    mining = '<MiningField name="the class" usageType="target"/>'
    mining += "".join(f"<MiningField name={quoteattr(column)}/>" for column in [*numbers, *texts])
    bits = [(column, value) for column, values in texts.items() for value in values]
    tables = []
    for row, first in zip(coef.tolist(), intercept.tolist()):
        cells = [f"<NumericPredictor name={quoteattr(c)} coefficient=\"{w!r}\"/>" for c, w in zip(numbers, row)]
        cells += [f"<CategoricalPredictor name={quoteattr(c)} value={quoteattr(v)} coefficient=\"{w!r}\"/>"
                  for (c, v), w in zip(bits, row[len(numbers):])]
        tables.append((first, "".join(cells)))
    method, order = "softmax", classes
    if len(classes) == 2:
        method, tables, order = "logit", [tables[0], (0, "")], classes[::-1]
    body = "\n".join(f"<RegressionTable intercept=\"{first!r}\" targetCategory={quoteattr(c)}>{cells}</RegressionTable>"
                     for c, (first, cells) in zip(order, tables))
    (folder / f"{name}.pmml").write_text(
        '<?xml version="1.0" encoding="UTF-8"?>\n<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>\n'
        f"<DataDictionary>{''.join(fields)}</DataDictionary>\n"
        f'<RegressionModel functionName="classification" normalizationMethod="{method}">\n'
        f"<MiningSchema>{mining}</MiningSchema>\n{body}\n</RegressionModel></PMML>\n")


def answers(model, frame, file):
    (folder / file).write_text(json.dumps([[repr(float(p)) for p in row] for row in model.predict_proba(frame)]))


def bring(name, table, label, numbers, texts=()):
    """Trains on the first rows; answers for all rows, which must be complete."""
    values = {column: sorted(table[column].unique()) for column in texts}
    parts = [table[numbers].astype(float)]
    parts += [pd.DataFrame({f"{c}={v}": (table[c] == v).astype(float) for v in own}, index=table.index)
              for c, own in values.items()]
    frame = pd.concat(parts, axis=1).to_numpy()
    label = np.asarray(label).astype(str)
    few = np.random.default_rng(1).permutation(len(table))[:TRAINED]
    model = LogisticRegression(max_iter=30).fit(frame[few], label[few])
    classes = [str(c) for c in model.classes_]
    features = numbers + [f"{c}={v}" for c, own in values.items() for v in own]
    write_json(name, features, classes, model.coef_, model.intercept_)
    write_onnx(name, numbers, values, classes, model.coef_, model.intercept_)
    write_pmml(name, numbers, values, classes, model.coef_, model.intercept_)
    (folder / f"{name}.rows.json").write_text(json.dumps([int(i) for i in table.index]))
    answers(model, frame, f"{name}.answers.json")
    model.coef_, model.intercept_ = (part.astype(np.float32).astype(float) for part in (model.coef_, model.intercept_))
    answers(model, frame, f"{name}.float-answers.json")


def shipped():
    for name in ["iris", "wine", "breast_cancer", "digits"]:
        loaded = getattr(datasets, f"load_{name}")(as_frame=True)
        yield name, loaded.data, [str(loaded.target_names[t]) for t in loaded.target]
    for name in ["diabetes", "linnerud"]:
        loaded = getattr(datasets, f"load_{name}")(as_frame=True)
        target = loaded.target.iloc[:, 0] if name == "linnerud" else loaded.target
        yield name, loaded.data, np.where(target > target.median(), "above", "below")


for name, table, label in shipped():
    table.to_csv(folder / f"{name}.csv")
    bring(name, table, label, list(table.columns))

if (data / "adult").exists():
    names = [f"column{c:02d}" for c in range(15)]
    table = pd.read_csv(data / "adult/adult.data.gz", header=None, names=names, skipinitialspace=True, na_values="?",
                        keep_default_na=False).dropna()
    numbers = [n for n in names[:14] if table[n].dtype != object]
    bring("adult", table, table["column14"], numbers, [n for n in names[:14] if n not in numbers])

if (data / "covtype").exists():
    names = [f"column{c:02d}" for c in range(55)]
    table = pd.read_csv(data / "covtype/covtype.sample92962.data.gz", header=None, names=names)
    bring("covtype", table, table["column54"], names[:54])

if (data / "splice").exists():
    raw = pd.read_csv(data / "splice/splice.data", header=None, skipinitialspace=True)
    letters = [f"column2[{p}]" for p in range(1, 61)]
    table = pd.DataFrame([list(text.strip()) for text in raw[2]], columns=letters)
    bring("splice", table, raw[0], [], letters)

for name in ["mnist", "fashion"]:
    if not (data / name).exists():
        continue
    images = gzip.decompress((data / f"{name}/t10k-images-idx3-ubyte.gz").read_bytes())[16:]
    labels = gzip.decompress((data / f"{name}/t10k-labels-idx1-ubyte.gz").read_bytes())[8:]
    pixels = np.frombuffer(images, dtype=np.uint8).reshape(-1, 784)
    table = pd.DataFrame(pixels, columns=[f"pixel{p}" for p in range(784)])
    table.to_csv(folder / f"{name}.csv", index=False)
    bring(name, table, list(labels), list(table.columns))
