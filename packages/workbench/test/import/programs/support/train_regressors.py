"""Trains regressors of scikit-learn and statsmodels, exports them, and writes rows.json, answers.json by case, and refused.json.

conformant_export.py stands in the folder.
"""

import json
import warnings

warnings.simplefilter("ignore")

import numpy as np
import pandas as pd
from conformant_export import NotExportable, describe, export
from sklearn.compose import ColumnTransformer, TransformedTargetRegressor
from sklearn.ensemble import (
    AdaBoostRegressor,
    ExtraTreesRegressor,
    GradientBoostingRegressor,
    HistGradientBoostingRegressor,
    RandomForestRegressor,
)
from sklearn.impute import SimpleImputer
from sklearn.linear_model import (
    ElasticNet,
    ElasticNetCV,
    GammaRegressor,
    HuberRegressor,
    Lasso,
    LassoCV,
    LinearRegression,
    PoissonRegressor,
    Ridge,
    RidgeCV,
    SGDRegressor,
    TweedieRegressor,
)
from sklearn.model_selection import GridSearchCV
from sklearn.multioutput import MultiOutputRegressor
from sklearn.neighbors import KNeighborsRegressor
from sklearn.pipeline import make_pipeline
from sklearn.preprocessing import KBinsDiscretizer, MinMaxScaler, OneHotEncoder, OrdinalEncoder, QuantileTransformer, StandardScaler
from sklearn.svm import SVR, LinearSVR
from sklearn.tree import DecisionTreeRegressor

random = np.random.default_rng(1)
n = 400
data = pd.DataFrame(
    {
        "area": random.normal(80, 30, n).round(1),
        "age": random.integers(0, 90, n),
        "bit": random.integers(0, 2, n),
        "town": random.choice(["Bonn", "St. Gallen", 'say "hi"'], n),
        "rooms": random.choice([1, 2, 3], n),
    }
)
rate = np.exp(1 + data.area / 100 - data.age / 100 + 0.5 * (data.town == "Bonn") + 0.2 * data.bit)
price = 1000 * rate + random.normal(0, 100, n)
count = random.poisson(rate)
amount = random.gamma(2, rate)
positive = price.clip(lower=1)
texts, numeric = ["town", "rooms"], ["area", "age", "bit"]


def columns(encoder=None, scaler=None):
    return ColumnTransformer([("n", scaler or StandardScaler(), numeric), ("t", encoder or OneHotEncoder(handle_unknown="ignore"), texts)])


behind = lambda model, **more: make_pipeline(columns(**more), model)
plain = data[numeric]
sparse = lambda model, *learned: model.fit(*learned).sparsify()
log_target = lambda model: TransformedTargetRegressor(model, func=np.log, inverse_func=np.exp)
weights = random.random(n)
cases = {
    "linear": (LinearRegression(), plain, price),
    "linear-weighted": (LinearRegression().fit(plain, price, weights), plain, None),
    "linear-column": (LinearRegression(), plain, price.to_frame()),
    "linear-without-intercept": (LinearRegression(fit_intercept=False), plain, price),
    "linear-huge": (LinearRegression(), plain, price * 1e290),
    "ridge": (behind(Ridge()), data, price),
    "ridge-cv": (behind(RidgeCV()), data, price),
    "lasso": (behind(Lasso(alpha=10)), data, price),
    "lasso-cv": (behind(LassoCV(cv=3)), data, price),
    "lasso-sparse": (Lasso(alpha=10).fit(plain, price), plain, None),
    "elastic": (behind(ElasticNet()), data, price),
    "elastic-cv": (behind(ElasticNetCV(cv=3)), data, price),
    "huber": (behind(HuberRegressor(max_iter=1000)), data, price),
    "sgd-sparse": (sparse(SGDRegressor(random_state=1), plain / 100, price), plain / 100, None),
    "svm": (behind(LinearSVR(random_state=1)), data, price),
    "poisson": (behind(PoissonRegressor()), data, count),
    "gamma": (behind(GammaRegressor()), data, amount),
    "tweedie": (behind(TweedieRegressor(power=1.5)), data, amount),
    "tweedie-normal": (behind(TweedieRegressor(power=0)), data, price),
    "tweedie-log": (behind(TweedieRegressor(power=0, link="log")), data, positive / 1000),
    "bins": (make_pipeline(KBinsDiscretizer(4, strategy="uniform"), Ridge()), plain[["area", "age"]], price),
    "bins-log": (
        make_pipeline(ColumnTransformer([("b", KBinsDiscretizer(3), ["area"]), ("o", OneHotEncoder(drop="first"), texts)], remainder="passthrough"), PoissonRegressor()),
        data,
        count,
    ),
    "imputer": (make_pipeline(SimpleImputer(), MinMaxScaler(), LinearRegression()), plain, price),
    "searched": (GridSearchCV(behind(Ridge()), {"ridge__alpha": [0.1, 1]}, cv=3), data, price),
    "log-target": (log_target(behind(LinearRegression())), data, positive),
    "log-target-forest": (log_target(RandomForestRegressor(5, max_depth=5, random_state=1)), plain, positive),
    "tree": (DecisionTreeRegressor(max_depth=6, random_state=1), plain, price),
    "forest": (behind(RandomForestRegressor(20, max_depth=7, random_state=1)), data, price),
    "forest-absolute": (RandomForestRegressor(5, criterion="absolute_error", random_state=1), plain, price),
    "extra": (behind(ExtraTreesRegressor(20, max_depth=7, random_state=1), encoder=OrdinalEncoder()), data, price),
    "gradient": (behind(GradientBoostingRegressor(n_estimators=30, random_state=1)), data, price),
    "gradient-huber": (GradientBoostingRegressor(loss="huber", n_estimators=10, random_state=1), plain, price),
    "gradient-zero": (GradientBoostingRegressor(init="zero", n_estimators=10, random_state=1), plain, price),
    "histogram": (behind(HistGradientBoostingRegressor(max_iter=30), encoder=OrdinalEncoder()), data, price),
    "histogram-absolute": (HistGradientBoostingRegressor(max_iter=10, loss="absolute_error"), plain, price),
    "histogram-poisson": (HistGradientBoostingRegressor(max_iter=30, loss="poisson"), plain, count),
    "tree-huge": (DecisionTreeRegressor(max_depth=5), plain, price * 1e100),
}
if hasattr(__import__("sklearn._loss", fromlist=["*"]), "HalfGammaLoss") and tuple(map(int, __import__("sklearn").__version__.split(".")[:2])) >= (1, 3):
    cases["histogram-gamma"] = (HistGradientBoostingRegressor(max_iter=30, loss="gamma"), plain, amount)
answers = {}
for name, (model, X, y) in cases.items():
    if y is not None:
        model.fit(X, y)
    export(model, X, f"{name}.json", label="price" if name == "ridge" else None)
    answers[name] = np.ravel(model.predict(X)).tolist()
answers["sgd-sparse"] = cases["sgd-sparse"][0].predict(plain / 100).tolist()
# The columns may be given in another order.
export(cases["linear"][0], plain[["bit", "area", "age"]], "linear.json")


class ExplainableBoostingRegressor:
    """A stand-in with the attributes that interpret documents: a machine of two columns."""

    def __init__(self, link):
        self.link_, self.intercept_ = link, 0.3
        self.bins_ = [[np.array([60.0, 80, 120])], [{"Bonn": 1, "St. Gallen": 2, 'say "hi"': 3}]]
        self.term_features_ = [(0,), (1,)]
        self.term_scores_ = [random.normal(size=6), random.normal(size=5)]

    def predict(self, X):
        place = np.searchsorted(self.bins_[0][0], X.iloc[:, 0], side="right") + 1
        code = X.iloc[:, 1].map(self.bins_[1][0]).astype(int)
        scores = self.intercept_ + self.term_scores_[0][place] + self.term_scores_[1][code]
        return np.exp(scores) if self.link_ == "log" else scores


for link in ("identity", "log"):
    machine = ExplainableBoostingRegressor(link)
    export(machine, data[["area", "town"]], f"machine-{link}.json")
    answers[f"machine-{link}"] = machine.predict(data[["area", "town"]]).tolist()

two = np.column_stack([price, count])
broken = LinearRegression().fit(plain, price)
broken.coef_[1] = np.nan
wrong = TransformedTargetRegressor(LinearRegression(), func=np.log1p, inverse_func=np.expm1).fit(plain, positive)
refused = {
    "two numbers": (LinearRegression().fit(plain, two), plain),
    "two numbers of a tree": (DecisionTreeRegressor().fit(plain, two), plain),
    "several": (MultiOutputRegressor(Ridge()).fit(plain, two), plain),
    "nan": (broken, plain),
    "expm1": (wrong, plain),
    "quantiles": (TransformedTargetRegressor(LinearRegression(), transformer=QuantileTransformer(n_quantiles=10)).fit(plain, price), plain),
    "log twice": (log_target(PoissonRegressor()).fit(plain, positive), plain),
    "neighbors": (KNeighborsRegressor().fit(plain, price), plain),
    "kernel": (SVR().fit(plain, price), plain),
    "ada": (AdaBoostRegressor(n_estimators=3).fit(plain, price), plain),
    "begun": (GradientBoostingRegressor(init=Ridge(), n_estimators=3).fit(plain, price), plain),
}
said = {}


def refuse(name, model, X, **more):
    try:
        describe(model, X, **more)
        said[name] = ""
    except NotExportable as error:
        said[name] = str(error)


for name, (model, X) in refused.items():
    refuse(name, model, X)
refuse("classes", cases["linear"][0], plain, classes=["no", "yes"])

try:
    import statsmodels.api as sm
    import statsmodels.formula.api as smf

    frame = data.assign(price=price, count=count, amount=amount, share=rate / (rate + 5), tried=10 + count, yes=(count > 3).astype(int))
    frame["failed"] = frame.tried - frame["count"]
    families = sm.families
    link = lambda *names: next(getattr(families.links, name) for name in names if hasattr(families.links, name))()
    fitted = {
        "ols": smf.ols("price ~ area + C(town) + bit", frame).fit(),
        "ols-sum": smf.ols("price ~ area + C(town, Sum) + C(rooms) - 1", frame).fit(),
        "wls": smf.wls("price ~ area + town", frame, weights=weights).fit(),
        "quantile": smf.quantreg("price ~ area + town", frame).fit(q=0.5),
        "robust": smf.rlm("price ~ area + town", frame).fit(),
        "ols-regularized": smf.ols("price ~ area + town", frame).fit_regularized(alpha=0.1),
        "poisson-counts": smf.poisson("count ~ area + town", frame).fit(disp=0),
        "glm-gaussian": smf.glm("price ~ area + town", frame).fit(),
        "glm-poisson": smf.glm("count ~ area + town", frame, family=families.Poisson()).fit(),
        "glm-gamma": smf.glm("amount ~ area + town", frame, family=families.Gamma(link("Log", "log"))).fit(),
        "glm-rates": smf.glm("count + failed ~ area + town", frame, family=families.Binomial()).fit(),
        "glm-shares": smf.glm("share ~ area + town", frame, family=families.Binomial(link("Probit", "probit"))).fit(),
    }
    for name, results in fitted.items():
        export(results, data, f"{name}.json")
        answers[name] = np.asarray(results.predict(frame)).tolist()
    constant = sm.add_constant(plain)
    array = sm.OLS(price, constant).fit()
    export(array, plain, "ols-array.json")
    answers["ols-array"] = np.asarray(array.predict(constant)).tolist()
    refuse("inverse", smf.glm("amount ~ area", frame, family=families.Gamma()).fit(), data)
    refuse("exposure", smf.poisson("count ~ area", frame, exposure=frame.tried).fit(disp=0), data)
    refuse("probit of classes", smf.glm("yes ~ area", frame, family=families.Binomial(link("Probit", "probit"))).fit(), data)
    refuse("negative binomial", smf.negativebinomial("count ~ area", frame).fit(disp=0), data)
except ImportError:
    pass

json.dump({"columns": list(data.columns), "rows": data.astype(object).values.tolist()}, open("rows.json", "w"))
json.dump(answers, open("answers.json", "w"))
json.dump(said, open("refused.json", "w"))
