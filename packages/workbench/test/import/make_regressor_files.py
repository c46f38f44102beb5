"""Regressors of scikit-learn and XGBoost as ONNX graphs and PMML documents, in the shapes that skl2onnx, onnxmltools and JPMML's
converters give them. Writes NAME.onnx, NAME.pmml and answers.json with the rows and the software's own answers by name."""

import json
import os
import warnings

os.environ["OMP_NUM_THREADS"] = "1"
warnings.simplefilter("ignore")
import numpy as np
import xgboost as xgb
from onnx import TensorProto, helper, numpy_helper
from sklearn.ensemble import GradientBoostingRegressor, HistGradientBoostingRegressor, RandomForestRegressor
from sklearn.linear_model import LinearRegression, PoissonRegressor
from sklearn.tree import DecisionTreeRegressor

random = np.random.default_rng(1)
ROWS, NAMES, TOWNS = 2000, ["a", "b", "c"], ["Bonn", "Köln", "Ulm"]
numbers = random.normal(size=(ROWS, 3)).round(2).astype(np.float32).astype(float)
town = random.choice(TOWNS, ROWS)
bits = np.stack([town == name for name in TOWNS], 1).astype(float)
gaps = np.where(random.random(numbers.shape) < 0.2, np.nan, numbers)
mean, scale = numbers.mean(0), numbers.std(0)
rate = np.exp(numbers[:, 0] / 3 + (numbers[:, 1] > 0) / 2 + bits[:, 2] / 2)
price = 100 * rate + numbers[:, 2]
count = random.poisson(rate)
train = slice(0, 800)
answers = {}


# ONNX -----------------------------------------------------------------------------------------------------------------


def graph(name, nodes, double=False, texts=False, single_answer=False):
    kind = TensorProto.DOUBLE if double else TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info(own, kind, [None, 1]) for own in NAMES]
    inputs += [helper.make_tensor_value_info("town", TensorProto.STRING, [None, 1])] if texts else []
    output = helper.make_tensor_value_info("variable", TensorProto.FLOAT if single_answer else kind, [None, 1])
    join = helper.make_node("Concat", NAMES, ["X"], axis=1)
    own = helper.make_graph([join, *nodes], "g", inputs, [output])
    model = helper.make_model(own, opset_imports=[helper.make_opsetid("", 13), helper.make_opsetid("ai.onnx.ml", 3)], ir_version=7)
    with open(f"{name}.onnx", "wb") as file:
        file.write(model.SerializeToString())


def ml(operator, inputs, outputs, **attributes):
    return helper.make_node(operator, inputs, outputs, domain="ai.onnx.ml", **attributes)


def constant(name, values):
    return helper.make_node("Constant", [], [name], value=numpy_helper.from_array(np.asarray(values), name))


def ensemble(trees, output="variable", mode="BRANCH_LEQ", base=None, double=False, **attributes):
    """Trees as lists of (id, feature, threshold, left, right, goes left if missing) and (id, value)."""
    lists = {key: [] for key in ["treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true"]}
    leaves = {key: [] for key in ["treeids", "nodeids", "ids", "weights"]}
    for t, tree in enumerate(trees):
        for n, *own in tree:
            if len(own) == 1:
                own, kind, value = [0, 0.0, 0, 0, 0], "LEAF", own[0]
                for key, item in zip(leaves, [t, n, 0, float(value)]):
                    leaves[key].append(item)
            else:
                kind = mode
            feature, threshold, left, right, gap = own
            for key, item in zip(lists, [t, n, int(feature), float(threshold), kind, int(left), int(right), int(gap)]):
                lists[key].append(item)
    made = {f"nodes_{key}": own for key, own in lists.items()} | {f"target_{key}": own for key, own in leaves.items()}
    made |= {} if base is None else {"base_values": [float(base)]}
    if double:
        for key in [own for own in ["nodes_values", "target_weights", "base_values"] if own in made]:
            made[f"{key}_as_tensor"] = numpy_helper.from_array(np.array(made.pop(key), np.float64), key)
    return ml("TreeEnsembleRegressor", ["X"], [output], **{"n_targets": 1, "post_transform": "NONE", **made, **attributes})


def single(threshold):
    """The largest number in single precision that is not above a threshold."""
    near = np.float32(threshold)
    return float(near if near <= threshold else np.nextafter(near, np.float32(-np.inf)))


def nodes_of(tree, weight=1.0):
    return [
        (n, weight * tree.value[n, 0, 0]) if tree.children_left[n] < 0 else (n, tree.feature[n], single(tree.threshold[n]), tree.children_left[n], tree.children_right[n], 0)
        for n in range(tree.node_count)
    ]


def histogram_of(predictor):
    return [
        (n, own["value"]) if own["is_leaf"] else (n, own["feature_idx"], own["num_threshold"], own["left"], own["right"], own["missing_go_to_left"])
        for n, own in enumerate(predictor.nodes)
    ]


def xgboost_of(tree):
    left, right = tree["left_children"], tree["right_children"]
    return [
        (n, tree["split_conditions"][n]) if left[n] < 0 else (n, tree["split_indices"][n], tree["split_conditions"][n], left[n], right[n], tree["default_left"][n])
        for n in range(len(left))
    ]


# PMML -----------------------------------------------------------------------------------------------------------------

SCHEMA = '<MiningSchema><MiningField name="price" usageType="target"/>' + "".join(f'<MiningField name="{own}"/>' for own in [*NAMES, "town"]) + "</MiningSchema>"


def document(name, body, number="double"):
    fields = '<DataField name="price" optype="continuous" dataType="double"/>' + "".join(f'<DataField name="{own}" optype="continuous" dataType="{number}"/>' for own in NAMES)
    fields += '<DataField name="town" optype="categorical" dataType="string">' + "".join(f'<Value value="{own}"/>' for own in TOWNS) + "</DataField>"
    with open(f"{name}.pmml", "w", encoding="utf-8") as file:
        file.write(f'<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/><DataDictionary>{fields}</DataDictionary>{body}</PMML>')


def regression(model, attributes=""):
    terms = "".join(f'<NumericPredictor name="{own}" coefficient="{float(w)!r}"/>' for own, w in zip(NAMES, model.coef_))
    terms += "".join(f'<CategoricalPredictor name="town" value="{own}" coefficient="{float(w)!r}"/>' for own, w in zip(TOWNS, model.coef_[3:]))
    return f'<RegressionModel functionName="regression"{attributes}>{SCHEMA}<RegressionTable intercept="{float(model.intercept_)!r}">{terms}</RegressionTable></RegressionModel>'


def general(model, attributes):
    cells = "".join(f'<PPCell value="1" predictorName="{own}" parameterName="p{j}"/>' for j, own in enumerate(NAMES, 1))
    cells += "".join(f'<PPCell value="{own}" predictorName="town" parameterName="p{j}"/>' for j, own in enumerate(TOWNS, 4))
    betas = "".join(f'<PCell parameterName="p{j}" beta="{float(w)!r}"/>' for j, w in enumerate([model.intercept_, *model.coef_]))
    parameters = "".join(f'<Parameter name="p{j}"/>' for j in range(7))
    return f"""<GeneralRegressionModel functionName="regression" {attributes}>{SCHEMA}<ParameterList>{parameters}</ParameterList>
<FactorList><Predictor name="town"/></FactorList><CovariateList>{"".join(f'<Predictor name="{own}"/>' for own in NAMES)}</CovariateList>
<PPMatrix>{cells}</PPMatrix><ParamMatrix>{betas}</ParamMatrix></GeneralRegressionModel>"""


def tree_model(nodes, operators=("lessOrEqual", "greaterThan"), strategy="none"):
    own = {n: rest for n, *rest in nodes}

    def node(n, predicate):
        if len(own[n]) == 1:
            return f'<Node id="{n}" score="{float(own[n][0])!r}">{predicate}</Node>'
        feature, threshold, left, right, gap = own[n]
        tests = [f'<SimplePredicate field="{NAMES[feature]}" operator="{operator}" value="{float(threshold)!r}"/>' for operator in operators]
        default = f' defaultChild="{left if gap else right}"' if strategy == "defaultChild" else ""
        return f'<Node id="{n}"{default}>{predicate}{node(left, tests[0])}{node(right, tests[1])}</Node>'

    return f'<TreeModel functionName="regression" missingValueStrategy="{strategy}" splitCharacteristic="binarySplit">{SCHEMA}{node(0, "<True/>")}</TreeModel>'


def mining(method, models, more="", weights=None):
    inner = "".join(f'<Segment id="{s}"{"" if weights is None else f" weight={chr(34)}{weights[s]}{chr(34)}"}><True/>{model}</Segment>' for s, model in enumerate(models))
    return f'<MiningModel functionName="regression">{SCHEMA}{more}<Segmentation multipleModelMethod="{method}">{inner}</Segmentation></MiningModel>'


def shifted(constant):
    return f'<Targets><Target field="price" rescaleConstant="{float(constant)!r}"/></Targets>'


# The regressors -------------------------------------------------------------------------------------------------------

wide = np.hstack([numbers, bits])
linear = LinearRegression().fit(wide[train], price[train])
scaled = LinearRegression().fit(((numbers - mean) / scale)[train], price[train])
poisson = PoissonRegressor().fit(wide[train], count[train])
plain = PoissonRegressor().fit(numbers[train], count[train])
document("linear", regression(linear))
document("linear-rescaled", regression(linear).replace("<RegressionTable", '<Targets><Target rescaleFactor="2" rescaleConstant="-5"/></Targets><RegressionTable'))
document("poisson", regression(poisson, ' normalizationMethod="exp"'))
document("rate", regression(poisson, ' normalizationMethod="logit"'))
document("general-linear", general(linear, 'modelType="generalLinear"'))
document("general-poisson", general(poisson, 'modelType="generalizedLinear" distribution="poisson" linkFunction="log"'))
answers["linear.pmml"] = answers["general-linear.pmml"] = linear.predict(wide)
answers["linear-rescaled.pmml"] = 2 * linear.predict(wide) - 5
answers["poisson.pmml"] = answers["general-poisson.pmml"] = poisson.predict(wide)
answers["rate.pmml"] = 1 / (1 + 1 / poisson.predict(wide))

graph("linear", [
    ml("Scaler", ["X"], ["scaled"], offset=mean.tolist(), scale=(1 / scale).tolist()),
    ml("LinearRegressor", ["scaled"], ["variable"], coefficients=scaled.coef_.tolist(), intercepts=[scaled.intercept_], targets=1),
])
graph("linear-texts", [
    constant("flat", np.array([-1, 3], np.int64)),
    ml("OneHotEncoder", ["town"], ["hot"], cats_strings=TOWNS, zeros=1),
    helper.make_node("Reshape", ["hot", "flat"], ["bits"]),
    helper.make_node("Concat", ["X", "bits"], ["wide"], axis=1),
    ml("LinearRegressor", ["wide"], ["variable"], coefficients=linear.coef_.tolist(), intercepts=[linear.intercept_]),
], texts=True)
product = [constant("weights", plain.coef_.reshape(-1, 1)), constant("shift", np.array([plain.intercept_])), helper.make_node("MatMul", ["X", "weights"], ["product"]), helper.make_node("Add", ["product", "shift"], ["sum"])]
graph("poisson", [*product, helper.make_node("Exp", ["sum"], ["power"]), constant("one", np.array([-1, 1], np.int64)), helper.make_node("Reshape", ["power", "one"], ["variable"])], double=True)
answers["linear.onnx"] = scaled.predict((numbers - mean) / scale)
answers["linear-texts.onnx"] = linear.predict(wide)
answers["poisson.onnx"] = plain.predict(numbers)

tree = DecisionTreeRegressor(max_depth=7, random_state=1).fit(numbers[train], price[train])
graph("tree", [ensemble([nodes_of(tree.tree_)])])
document("tree", tree_model(nodes_of(tree.tree_)), "float")
answers["tree.onnx"] = answers["tree.pmml"] = tree.predict(numbers)
forest = RandomForestRegressor(15, max_depth=7, random_state=1).fit(numbers[train], price[train])
graph("forest", [ensemble([nodes_of(own.tree_, 1 / 15) for own in forest.estimators_])])
graph("forest-average", [ensemble([nodes_of(own.tree_) for own in forest.estimators_], aggregate_function="AVERAGE", base=3.0)])
trees = [tree_model(nodes_of(own.tree_)) for own in forest.estimators_]
document("forest", mining("average", trees), "float")
weights = random.integers(1, 9, 15)
document("forest-weighted", mining("weightedAverage", trees, weights=weights), "float")
answers["forest.onnx"] = answers["forest.pmml"] = forest.predict(numbers)
answers["forest-average.onnx"] = forest.predict(numbers) + 3
answers["forest-weighted.pmml"] = np.average([own.predict(numbers) for own in forest.estimators_], axis=0, weights=weights)
gradient = GradientBoostingRegressor(n_estimators=20, random_state=1).fit(numbers[train], price[train])
start = gradient._raw_predict_init(numbers[:1])[0, 0]
steps = [nodes_of(own[0].tree_, gradient.learning_rate) for own in gradient.estimators_]
graph("gradient", [ensemble(steps, base=start)])
document("gradient", mining("sum", [tree_model(own) for own in steps], shifted(start)), "float")
answers["gradient.onnx"] = answers["gradient.pmml"] = gradient.predict(numbers)
for name, loss, learned in [("histogram", "squared_error", price), ("histogram-poisson", "poisson", count)]:
    histogram = HistGradientBoostingRegressor(max_iter=20, loss=loss).fit(gaps[train], learned[train])
    steps = [histogram_of(own[0]) for own in histogram._predictors]
    base = float(np.ravel(histogram._baseline_prediction)[0])
    last = [] if loss == "squared_error" else [helper.make_node("Exp", ["sum"], ["variable"])]
    graph(name, [ensemble(steps, "sum" if last else "variable", base=base, double=True), *last], double=True, single_answer=True)
    answers[f"{name}.onnx"], answers[f"{name}.onnx gaps"] = histogram.predict(numbers), histogram.predict(gaps)
for name, objective, learned in [("xgboost", "reg:squarederror", price), ("xgboost-poisson", "count:poisson", count)]:
    booster = xgb.train({"objective": objective, "max_depth": 4, "base_score": 1.5}, xgb.DMatrix(gaps[train], learned[train]), 20)
    booster.save_model("booster.json")
    saved = json.load(open("booster.json"))["learner"]["gradient_booster"]["model"]["trees"]
    steps = [xgboost_of(own) for own in saved]
    start = 1.5 if name == "xgboost" else np.log(1.5)
    last = [] if name == "xgboost" else [helper.make_node("Exp", ["sum"], ["variable"])]
    graph(name, [ensemble(steps, "sum" if last else "variable", "BRANCH_LT", base=start), *last])
    inner = mining("sum", [tree_model(own, ("lessThan", "greaterOrEqual"), "defaultChild") for own in steps], shifted(start))
    if last:
        named = inner.replace("<Targets>", '<Output><OutputField name="xgbValue" optype="continuous" dataType="double" isFinalResult="false"/></Output><Targets>', 1)
        ends = f'<RegressionModel functionName="regression" normalizationMethod="exp">{SCHEMA}<RegressionTable intercept="0"><NumericPredictor name="xgbValue" coefficient="1.0"/></RegressionTable></RegressionModel>'
        inner = mining("modelChain", [named, ends])
    document(name, inner, "float")
    for rows, ending in [(numbers, ""), (gaps, " gaps")]:
        answers[f"{name}.onnx{ending}"] = answers[f"{name}.pmml{ending}"] = booster.predict(xgb.DMatrix(rows)).astype(float)

# What is refused.
small = [[(0, 0, 0.5, 1, 2, 0), (1, 1.0), (2, 2.0)]]
for name, more in {"max": {"aggregate_function": "MAX"}, "logistic": {"post_transform": "LOGISTIC"}, "two": {"n_targets": 2}}.items():
    graph(f"refused-{name}", [ensemble(small, **more)])
graph("refused-linear-two", [ml("LinearRegressor", ["X"], ["variable"], coefficients=[1.0] * 6, intercepts=[0.0, 0.0], targets=2)])
graph("refused-linear-probit", [ml("LinearRegressor", ["X"], ["variable"], coefficients=[1.0] * 3, post_transform="PROBIT")])
graph("refused-sigmoid", [ensemble(small, "sum"), helper.make_node("Sigmoid", ["sum"], ["variable"])])
leaf = tree_model(small[0])
document("refused-median", mining("median", [leaf, leaf]))
document("refused-cauchit", regression(linear, ' normalizationMethod="cauchit"'))
document("refused-inverse", general(linear, 'modelType="generalizedLinear" distribution="gamma" linkFunction="power" linkParameter="-1"'))
document("refused-offset", general(linear, 'modelType="generalizedLinear" distribution="poisson" linkFunction="log" offsetVariable="a"'))
document("refused-rescaled", regression(poisson, ' normalizationMethod="exp"').replace("<RegressionTable", '<Targets><Target rescaleFactor="2"/></Targets><RegressionTable'))
document("refused-clipped", regression(linear).replace("<RegressionTable", '<Targets><Target min="0"/></Targets><RegressionTable'))
document("refused-tables", regression(linear).replace("</RegressionModel>", '<RegressionTable intercept="1"/></RegressionModel>'))
document("refused-linear-chain", mining("modelChain", [leaf, regression(linear)]))
document("refused-mixed", mining("modelChain", [named, ends]).replace('functionName="regression"', 'functionName="classification"', 1))
listed = lambda data: [[None if x != x else x for x in row] for row in data.tolist()]
rows = {"full": [[*row, own] for row, own in zip(listed(numbers), town.tolist())], "gaps": [[*row, own] for row, own in zip(listed(gaps), town.tolist())]}
json.dump({**rows, "answers": {name: own.tolist() for name, own in answers.items()}}, open("answers.json", "w"))
