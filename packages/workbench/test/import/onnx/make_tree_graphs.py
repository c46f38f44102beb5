# Trees of scikit-learn as ONNX graphs in the shape that skl2onnx gives them, and random trees with every mode of a node.
# Writes NAME.onnx and answers.json with the rows and scikit-learn's own answers.
import json
import os

os.environ["OMP_NUM_THREADS"] = "1"
import numpy as np
from onnx import TensorProto, helper, numpy_helper
from sklearn.ensemble import ExtraTreesClassifier, GradientBoostingClassifier, HistGradientBoostingClassifier, RandomForestClassifier
from sklearn.tree import DecisionTreeClassifier

rng = np.random.default_rng(5)
ROWS, NUMBERS = 10_000, 5
CITIES = ["Bonn", "Köln", "Ulm"]
numbers = rng.normal(size=(ROWS, NUMBERS)).round(3).astype(np.float32)
numbers[:, 4] = rng.integers(0, 6, ROWS)
city = rng.choice(CITIES, ROWS)
bits = np.stack([city == name for name in CITIES], 1).astype(np.float32)
signal = numbers[:, 0] * numbers[:, 1] + numbers[:, 2] + (numbers[:, 4] == 3) + 2 * bits[:, 2]
two = np.where(signal > 1, "yes", "no")
four = np.digitize(signal, np.quantile(signal, [0.25, 0.5, 0.75]))
gaps = np.where(rng.random(numbers.shape) < 0.2, np.nan, numbers).astype(np.float32)
train = slice(0, 2000)
names = [f"n{i}" for i in range(NUMBERS)]


class Nodes:
    """The lists of TreeEnsembleClassifier."""

    def __init__(self):
        self.node = {key: [] for key in ["treeids", "nodeids", "featureids", "values", "modes", "truenodeids", "falsenodeids", "missing_value_tracks_true"]}
        self.votes = {key: [] for key in ["treeids", "nodeids", "ids", "weights"]}

    def add(self, tree, node, feature=0, value=0.0, mode="LEAF", true=0, false=0, gap=0):
        for key, own in zip(self.node, [tree, node, feature, value, mode, true, false, gap]):
            self.node[key].append(own)

    def vote(self, tree, node, weights, only=None):
        for k, weight in enumerate(weights):
            for key, own in zip(self.votes, [tree, node, k if only is None else only, float(weight)]):
                self.votes[key].append(own)

    def make(self, labels, post, base=None, double=False):
        lists = {f"nodes_{key}": own for key, own in self.node.items()} | {f"class_{key}": own for key, own in self.votes.items()}
        if base is not None:
            lists["base_values"] = [float(b) for b in base]
        if double:
            for key in ["nodes_values", "class_weights", "base_values"]:
                own = lists.pop(key)
                lists[f"{key}_as_tensor"] = numpy_helper.from_array(np.array(own, np.float64), key)
        text = isinstance(labels[0], str)
        lists["classlabels_strings" if text else "classlabels_int64s"] = list(labels)
        return helper.make_node("TreeEnsembleClassifier", ["X"], ["label", "p"], domain="ai.onnx.ml", post_transform=post, **lists)


def single(threshold):
    """The largest single-precision number that is not above a threshold."""
    near = np.float32(threshold)
    return float(near if near <= threshold else np.nextafter(near, np.float32(-np.inf)))


def add_tree(nodes, t, tree, weights, only=None):
    for n in range(tree.node_count):
        if tree.children_left[n] < 0:
            nodes.add(t, n)
            nodes.vote(t, n, weights(n), only)
        else:
            nodes.add(t, n, int(tree.feature[n]), single(tree.threshold[n]), "BRANCH_LEQ", int(tree.children_left[n]), int(tree.children_right[n]))


def forest(model, trees):
    nodes, K = Nodes(), len(model.classes_)
    for t, own in enumerate(trees):
        def share(n, own=own):
            p = own.tree_.value[n, 0] / own.tree_.value[n, 0].sum() / len(trees)
            return p[1:] if K == 2 else p  # two classes: the share of the second, under the number of the first
        add_tree(nodes, t, own.tree_, share)
    return nodes.make([c.item() if hasattr(c, "item") else c for c in model.classes_], "NONE")


def boosted(model):
    nodes, K = Nodes(), len(model.classes_)
    for step, group in enumerate(model.estimators_):
        for k, own in enumerate(group):
            add_tree(nodes, step * len(group) + k, own.tree_, lambda n, own=own: [model.learning_rate * own.tree_.value[n, 0, 0]], k)
    base = model._raw_predict_init(numbers[:1])[0]
    return nodes.make([c.item() if hasattr(c, "item") else c for c in model.classes_], "LOGISTIC" if K == 2 else "SOFTMAX", base)


def histogram(model, double):
    nodes, K = Nodes(), len(model.classes_)
    for step, group in enumerate(model._predictors):
        for k, own in enumerate(group):
            t = step * len(group) + k
            for n, node in enumerate(own.nodes):
                if node["is_leaf"]:
                    nodes.add(t, n)
                    nodes.vote(t, n, [node["value"]], k)
                else:
                    value = node["num_threshold"] if double else single(node["num_threshold"])
                    nodes.add(t, n, int(node["feature_idx"]), float(value), "BRANCH_LEQ", int(node["left"]), int(node["right"]), int(node["missing_go_to_left"]))
    return nodes.make([c.item() if hasattr(c, "item") else c for c in model.classes_], "LOGISTIC" if K == 2 else "SOFTMAX", model._baseline_prediction.ravel(), double)


def random_modes(trees, depth, post, K):
    """Random trees over whole and other numbers with every mode; gaps go either way."""
    nodes = Nodes()
    for t in range(trees):
        count = [0]
        def grow(d, t=t):
            n = count[0]
            count[0] += 1
            if d == 0 or rng.random() < 0.1:
                nodes.add(t, n)
                nodes.vote(t, n, rng.normal(size=K) if post == "SOFTMAX" else rng.dirichlet(np.ones(K)) / trees)
                return n
            at = len(nodes.node["treeids"])
            feature = int(rng.integers(NUMBERS))
            value = float(rng.integers(0, 6)) if feature == 4 else float(np.float32(round(rng.normal(), 1)))
            nodes.add(t, n, feature, value, "BRANCH_" + rng.choice(["LEQ", "LT", "GT", "GTE", "EQ", "NEQ"]), gap=int(rng.integers(2)))
            nodes.node["truenodeids"][at] = grow(d - 1)
            nodes.node["falsenodeids"][at] = grow(d - 1)
            return n
        grow(depth)
    return nodes.make(list(range(K)), post)


def save(name, ensemble, columns=names, double=False, before=(), after=(), texts=()):
    kind = TensorProto.DOUBLE if double else TensorProto.FLOAT
    inputs = [helper.make_tensor_value_info(column, TensorProto.STRING if column in texts else kind, [None, 1]) for column in columns]
    if not before:
        before = [helper.make_node("Concat", list(columns), ["X"], axis=1)]
    answer = after[-1].output[0] if after else "p"
    outputs = [helper.make_tensor_value_info("label", TensorProto.INT64 if any(a.name == "classlabels_int64s" for a in ensemble.attribute) else TensorProto.STRING, [None])]
    outputs.append(helper.make_tensor_value_info(answer, TensorProto.FLOAT, None))
    graph = helper.make_graph([*before, ensemble, *after], name, inputs, outputs)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 15), helper.make_opsetid("ai.onnx.ml", 3)])
    model.ir_version = 8
    open(f"{name}.onnx", "wb").write(model.SerializeToString())


answers = {}
def keep(name, model, data, with_gaps=False):
    answers[name] = model.predict_proba(data).tolist()
    if with_gaps:
        answers[f"{name} gaps"] = model.predict_proba(gaps).tolist()


forest_two = RandomForestClassifier(20, max_depth=7, random_state=1).fit(numbers[train], two[train])
save("forest-two", forest(forest_two, forest_two.estimators_))
keep("forest-two", forest_two, numbers)
extra = ExtraTreesClassifier(15, max_depth=8, random_state=1).fit(numbers[train], four[train])
save("extra-four", forest(extra, extra.estimators_), after=[helper.make_node("Normalizer", ["p"], ["q"], domain="ai.onnx.ml", norm="L1"), helper.make_node("Cast", ["q"], ["r"], to=TensorProto.FLOAT)])
keep("extra-four", extra, numbers)
tree = DecisionTreeClassifier(max_depth=8, random_state=1).fit(numbers[train], four[train])
save("tree-four", forest(tree, [tree]))
keep("tree-four", tree, numbers)
for name, label in [("two", two), ("four", four)]:
    gradient = GradientBoostingClassifier(n_estimators=20, random_state=1).fit(numbers[train], label[train])
    save(f"gradient-{name}", boosted(gradient))
    keep(f"gradient-{name}", gradient, numbers)
    hist = HistGradientBoostingClassifier(max_iter=20, max_leaf_nodes=15, random_state=1).fit(gaps[train].astype(float), label[train])
    save(f"histogram-{name}", histogram(hist, False))
    keep(f"histogram-{name}", hist, numbers, True)
    save(f"double-{name}", histogram(hist, True), double=True)
    keep(f"double-{name}", hist, numbers, True)
save("modes-none", random_modes(20, 6, "NONE", 3))
save("modes-softmax", random_modes(20, 6, "SOFTMAX", 3))
# A scaler before the trees, and the bits of a text.
mean, scale = numbers[train].mean(0), numbers[train].std(0)
wide = np.hstack([(numbers - mean) * (1 / scale), bits])  # as the Scaler has it
piped = RandomForestClassifier(20, max_depth=7, random_state=1).fit(wide[train], two[train])
save("pipeline", forest(piped, piped.estimators_), names + ["city"], texts=["city"], before=[
    helper.make_node("Constant", [], ["flat"], value=numpy_helper.from_array(np.array([-1, 3], np.int64), "flat")),
    helper.make_node("Concat", names, ["raw"], axis=1),
    helper.make_node("Scaler", ["raw"], ["scaled"], domain="ai.onnx.ml", offset=mean.tolist(), scale=(1 / scale).tolist()),
    helper.make_node("OneHotEncoder", ["city"], ["hot"], domain="ai.onnx.ml", cats_strings=CITIES, zeros=1),
    helper.make_node("Reshape", ["hot", "flat"], ["bits"]),
    helper.make_node("Concat", ["scaled", "bits"], ["X"], axis=1),
])
keep("pipeline", piped, wide)
listed = lambda data: [[None if v != v else float(v) for v in row] for row in data]
json.dump({"names": names, "numbers": listed(numbers), "gaps": listed(gaps), "city": city.tolist(), "answers": answers}, open("answers.json", "w"))
