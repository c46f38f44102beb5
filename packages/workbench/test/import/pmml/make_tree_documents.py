# Trees of scikit-learn and XGBoost as PMML, in the shapes that sklearn2pmml and JPMML's converters give them.
# Writes NAME.pmml and answers.json with the rows and the software's own answers.
import json
import os

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
import pandas as pd
import xgboost as xgb
from sklearn.ensemble import GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.preprocessing import StandardScaler
from sklearn.tree import DecisionTreeClassifier
from xml.sax.saxutils import quoteattr

rng = np.random.default_rng(3)
ROWS = 10_000
NUMBERS = [f"n{i}" for i in range(4)]
CITIES = ["Bonn am Rhein", 'The "Hague"', "Ulm", "Wien", "Zug"]
table = pd.DataFrame({name: rng.normal(size=ROWS).round(2) for name in NUMBERS})
table["city"] = pd.Categorical(rng.choice(CITIES, ROWS), categories=CITIES)
codes = table.city.cat.codes.to_numpy()
signal = table.n0 * table.n1 + table.n2 + 2 * (codes % 2)
two = np.where(signal > 1, "yes", "no")
four = np.digitize(signal, np.quantile(signal, [0.25, 0.5, 0.75])).astype(str)
gaps = table.mask(rng.random(table.shape) < 0.2)
gaps["city"] = pd.Categorical(gaps["city"], categories=CITIES)
train = slice(0, 2000)
numbers = table[NUMBERS].to_numpy()
answers = {}


def simple(field, operator, value):
    return f'<SimplePredicate field="{field}" operator="{operator}" value={quoteattr(value if isinstance(value, str) else str(value))}/>'


def in_set(field, operator, values):
    quoted = " ".join('"' + value.replace('"', '\\"') + '"' for value in values)
    return f'<SimpleSetPredicate field="{field}" booleanOperator="{operator}"><Array n="{len(values)}" type="string">{quoted}</Array></SimpleSetPredicate>'


def dictionary(classes, number="double"):
    fields = [f'<DataField name="{name}" optype="continuous" dataType="{number}"/>' for name in NUMBERS]
    for name, values in [("y", classes), ("city", CITIES)]:
        inner = "".join(f"<Value value={quoteattr(value)}/>" for value in values)
        fields.append(f'<DataField name="{name}" optype="categorical" dataType="string">{inner}</DataField>')
    return "<DataDictionary>" + "".join(fields) + "</DataDictionary>"


SCHEMA = "<MiningSchema>" + '<MiningField name="y" usageType="target"/>' + "".join(f'<MiningField name="{c}"/>' for c in NUMBERS + ["city"]) + "</MiningSchema>"


def save(name, classes, body, number="double", derived=""):
    transformations = f"<TransformationDictionary>{derived}</TransformationDictionary>" if derived else ""
    with open(f"{name}.pmml", "w") as file:
        file.write(f'<PMML xmlns="http://www.dmg.org/PMML-4_4" version="4.4"><Header/>{dictionary(classes, number)}{transformations}{body}</PMML>')


def segments(method, models):
    inner = "".join(f'<Segment id="{s}"><True/>{model}</Segment>' for s, model in enumerate(models, 1))
    return f'<Segmentation multipleModelMethod="{method}">{inner}</Segmentation>'


FLOATS = "".join(f'<DerivedField name="float({c})" optype="continuous" dataType="float"><FieldRef field="{c}"/></DerivedField>' for c in NUMBERS)


def plain(model, field):
    """Both children with their predicate; distributions in the leaves."""
    tree = model.tree_
    def node(n, predicate):
        if tree.children_left[n] < 0:
            shares = "".join(f'<ScoreDistribution value="{c}" recordCount="{count!r}"/>' for c, count in zip(model.classes_, tree.value[n, 0].tolist()))
            return f'<Node id="{n}" score="{model.classes_[tree.value[n, 0].argmax()]}">{predicate}{shares}</Node>'
        name = field(tree.feature[n])
        left = node(tree.children_left[n], simple(name, "lessOrEqual", tree.threshold[n]))
        right = node(tree.children_right[n], simple(name, "greaterThan", tree.threshold[n]))
        return f'<Node id="{n}">{predicate}{left}{right}</Node>'
    return f'<TreeModel functionName="classification" missingValueStrategy="nullPrediction" splitCharacteristic="binarySplit">{SCHEMA}{node(0, "<True/>")}</TreeModel>'


def compact(tree, leaf, kind, field):
    """The right child is folded into its parent, whose answer it is where no other child is true."""
    def node(n, predicate):
        children = []
        while tree.children_left[n] >= 0:
            children.append((tree.children_left[n], simple(field(tree.feature[n]), "lessOrEqual", tree.threshold[n])))
            n = tree.children_right[n]
        inner = "".join(node(child, test) for child, test in children)
        return leaf(n, predicate, inner)
    return f'<TreeModel functionName="{kind}" noTrueChildStrategy="returnLastPrediction" splitCharacteristic="multiSplit">{SCHEMA}{node(0, "<True/>")}</TreeModel>'


def shares_of(model, classes):
    def leaf(n, predicate, inner):
        value = model.tree_.value[n, 0] / model.tree_.value[n, 0].sum()
        shares = "".join(f'<ScoreDistribution value="{c}" recordCount="1" probability="{p!r}"/>' for c, p in zip(classes, value.tolist()))
        return f'<Node score="{classes[value.argmax()]}">{predicate}{shares}{inner}</Node>'
    return leaf


def chain(classes, sums, base, names, attributes=""):
    """Sums of trees that a regression makes probabilities of."""
    models = [
        f'<MiningModel functionName="regression"{attributes}>{SCHEMA}<Output><OutputField name={quoteattr(name)} optype="continuous" dataType="double" isFinalResult="false"/></Output>'
        f'<Targets><Target rescaleConstant="{float(b)!r}"/></Targets>{segments("sum", trees)}</MiningModel>'
        for name, b, trees in zip(names, base, sums)
    ]
    one = lambda name: f'<NumericPredictor name={quoteattr(name)} coefficient="1.0"/>'
    if len(classes) == 2:
        tables = f'<RegressionTable intercept="0.0" targetCategory="{classes[1]}">{one(names[0])}</RegressionTable><RegressionTable intercept="0.0" targetCategory="{classes[0]}"/>'
    else:
        tables = "".join(f'<RegressionTable intercept="0.0" targetCategory="{c}">{one(name)}</RegressionTable>' for c, name in zip(classes, names))
    method = "logit" if len(classes) == 2 else "softmax"
    models.append(f'<RegressionModel functionName="classification" normalizationMethod="{method}">{SCHEMA}{tables}</RegressionModel>')
    return f'<MiningModel functionName="classification">{SCHEMA}{segments("modelChain", models)}</MiningModel>'


scaler = StandardScaler().fit(numbers[train])
scaled = "".join(
    f'<DerivedField name="standardScaler({c})" optype="continuous" dataType="double"><Apply function="/"><Apply function="-"><FieldRef field="{c}"/><Constant>{m!r}</Constant></Apply><Constant>{s!r}</Constant></Apply></DerivedField>'
    f'<DerivedField name="float(standardScaler({c}))" optype="continuous" dataType="float"><FieldRef field="standardScaler({c})"/></DerivedField>'
    for c, m, s in zip(NUMBERS, scaler.mean_.tolist(), scaler.scale_.tolist())
)
tree = DecisionTreeClassifier(max_depth=9, random_state=1).fit(scaler.transform(numbers[train]), four[train])
save("tree", tree.classes_.tolist(), plain(tree, lambda f: f"float(standardScaler({NUMBERS[f]}))"), derived=scaled)
answers["tree"] = {"full": tree.predict_proba(scaler.transform(numbers)).tolist()}

forest = RandomForestClassifier(15, max_depth=8, random_state=1).fit(numbers[train], four[train])
single = lambda f: f"float({NUMBERS[f]})"
save("forest", forest.classes_.tolist(), f'<MiningModel functionName="classification">{SCHEMA}' + segments("average", [compact(own.tree_, shares_of(own, forest.classes_), "classification", single) for own in forest.estimators_]) + "</MiningModel>", derived=FLOATS)
answers["forest"] = {"full": forest.predict_proba(numbers).tolist()}

for name, label in [("two", two), ("four", four)]:
    model = GradientBoostingClassifier(n_estimators=15, random_state=1).fit(numbers[train], label[train])
    def score(own):
        return lambda n, predicate, inner: f'<Node score="{float(model.learning_rate * own.tree_.value[n, 0, 0])!r}">{predicate}{inner}</Node>'
    sums = [[compact(own.tree_, score(own), "regression", single) for own in column] for column in model.estimators_.T]
    names = [f"decisionFunction({c})" for c in (model.classes_[1:] if len(sums) == 1 else model.classes_)]
    save(f"gradient-{name}", model.classes_.tolist(), chain(model.classes_.tolist(), sums, model._raw_predict_init(numbers[:1])[0], names), derived=FLOATS)
    answers[f"gradient-{name}"] = {"full": model.predict_proba(numbers).tolist()}


def xgboost_tree(own, shape):
    """Gaps by defaultChild, or by a surrogate that is always true or false."""
    types, left, right = own.get("split_type", []), own["left_children"], own["right_children"]
    sets = {n: set(own["categories"][s : s + k]) for n, s, k in zip(own["categories_nodes"], own["categories_segments"], own["categories_sizes"])}
    def tests(n):
        f = own["split_indices"][n]
        if types[n] == 1:
            values = [CITIES[c] for c in sorted(sets[n])]
            return in_set("city", "isNotIn", values), in_set("city", "isIn", values)
        value = np.float32(own["split_conditions"][n])  # written with as many digits as it needs
        return simple(NUMBERS[f], "lessThan", value), simple(NUMBERS[f], "greaterOrEqual", value)
    def surrogate(test, n, isLeft):
        constant = "<True/>" if bool(own["default_left"][n]) == isLeft else "<False/>"
        return f'<CompoundPredicate booleanOperator="surrogate">{test}{constant}</CompoundPredicate>'
    def node(n, predicate):
        if left[n] < 0:
            return f'<Node id="{n}" score="{float(np.float32(own["split_conditions"][n]))!r}">{predicate}</Node>'
        a, b = tests(n)
        if shape == "surrogate":
            a, b = surrogate(a, n, True), surrogate(b, n, False)
        child = f' defaultChild="{left[n] if own["default_left"][n] else right[n]}"' if shape == "default" else ""
        return f'<Node id="{n}"{child}>{predicate}{node(left[n], a)}{node(right[n], b)}</Node>'
    strategy = ' missingValueStrategy="defaultChild"' if shape == "default" else ""
    return f'<TreeModel functionName="regression"{strategy} splitCharacteristic="binarySplit" x-mathContext="float">{SCHEMA}{node(0, "<True/>")}</TreeModel>'


for name, label, shape in [("two", two, "default"), ("four", four, "surrogate")]:
    classes, y = np.unique(label, return_inverse=True)
    matrix = lambda data: xgb.DMatrix(data, enable_categorical=True)
    own = matrix(gaps[train])
    own.set_label(y[train])
    objective = {"objective": "binary:logistic"} if len(classes) == 2 else {"objective": "multi:softprob", "num_class": 4}
    booster = xgb.train({"seed": 1, "nthread": 1, "max_depth": 4, "tree_method": "approx", "max_cat_to_onehot": 1, **objective}, own, 8)
    trees = json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"]["trees"]
    K = len(classes) if len(classes) > 2 else 1
    sums = [[xgboost_tree(tree, shape) for tree in trees[k::K]] for k in range(K)]
    save(f"xgboost-{name}", classes.tolist(), chain(classes.tolist(), sums, [0 if K == 1 else 0.5] * K, ["xgbValue"] if K == 1 else [f"xgbValue({c})" for c in classes], ' x-mathContext="float"'), "float")
    pair = lambda p: np.stack([1 - p, p], 1) if p.ndim == 1 else p
    answers[f"xgboost-{name}"] = {"full": pair(booster.predict(matrix(table)).astype(float)).tolist(), "gaps": pair(booster.predict(matrix(gaps)).astype(float)).tolist()}

both = np.column_stack([numbers, codes])
holes = np.column_stack([gaps[NUMBERS].to_numpy(), np.where(gaps.city.isna(), np.nan, codes)])
hist = HistGradientBoostingClassifier(max_iter=10, categorical_features=[4], random_state=1).fit(holes[train], two[train])
def histogram_tree(predictor):
    nodes = predictor.nodes
    def node(n, predicate):
        own = nodes[n]
        if own["is_leaf"]:
            return f'<Node id="{n}" score="{float(own["value"])!r}">{predicate}</Node>'
        if own["is_categorical"]:
            bits = predictor.raw_left_cat_bitsets[own["bitset_idx"]]
            values = [CITIES[c] for c in range(len(CITIES)) if bits[c // 32] >> (c % 32) & 1]
            tests = in_set("city", "isIn", values), in_set("city", "isNotIn", values)
        else:
            field, value = NUMBERS[own["feature_idx"]], own["num_threshold"]
            tests = simple(field, "lessOrEqual", value), simple(field, "greaterThan", value)
        gap = simple("city" if own["is_categorical"] else NUMBERS[own["feature_idx"]], "isMissing", "").replace(' value=""', "")
        # A gap stands in the predicate of the child that it goes to.
        goes = 0 if own["missing_go_to_left"] else 1
        a, b = [f'<CompoundPredicate booleanOperator="or">{gap}{test}</CompoundPredicate>' if i == goes else test for i, test in enumerate(tests)]
        return f'<Node id="{n}">{predicate}{node(own["left"], a)}{node(own["right"], b)}</Node>'
    return f'<TreeModel functionName="regression" splitCharacteristic="binarySplit">{SCHEMA}{node(0, "<True/>")}</TreeModel>'
save("histogram", hist.classes_.tolist(), chain(hist.classes_.tolist(), [[histogram_tree(step[0]) for step in hist._predictors]], hist._baseline_prediction.ravel(), ["lgbmValue"]))
answers["histogram"] = {"full": hist.predict_proba(both).tolist(), "gaps": hist.predict_proba(holes).tolist()}

cells = lambda data: json.loads(data.to_json(orient="values", double_precision=15))
json.dump({"columns": list(table.columns), "full": cells(table), "gaps": cells(gaps), "answers": answers}, open("answers.json", "w"))
