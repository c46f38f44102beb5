# statsmodels ----------------------------------------------------------------------------------------------------------


def _statsmodels(results, features):
    """Logit, and GLM of two classes with the family Binomial and its link: the log-odds of the second class. Others answer a number."""
    model = results.model
    name = type(model).__name__
    answer = _answer_of(model, name)
    if any(getattr(model, given, None) is not None and np.any(getattr(model, given)) for given in ("offset", "exposure")):
        raise NotExportable(f"{name} with an offset or exposure")
    params = np.asarray(results.params, float)
    if params.ndim > 1 and params.shape[1] > 1:
        raise NotExportable(f"{name} predicts {params.shape[1]} numbers, expected one")
    params = params.ravel()
    design = getattr(model.data, "design_info", None)
    intercept, coef, out = 0.0, [], []
    for terms, weight in zip(_patsy(design, features) if design else _plain(model.exog_names, features), params):
        if terms is None:
            intercept += weight
        else:
            coef.append(weight)
            out.append(terms)
    return answer, [intercept], [coef], out


def _answer_of(model, name):
    """The two classes, or what is said of a number."""
    if name == "Logit":
        return ["0", "1"]
    if name in ("OLS", "WLS", "GLS", "GLSAR", "RLM", "QuantReg"):
        return _number()
    if name == "Poisson":
        return _number("log")
    if name != "GLM":
        raise NotExportable(f"{name} of statsmodels, expected Logit, GLM, OLS, WLS, GLS, GLSAR, RLM, QuantReg or Poisson")
    family, link = type(model.family).__name__, type(model.family.link).__name__.lower()
    link = "probit" if link == "cdflink" else link
    is_rate = family == "Binomial" and not np.isin(np.asarray(model.endog, float), (0, 1)).all()
    if family == "Binomial" and not is_rate:
        if link == "logit":
            return ["0", "1"]
        raise NotExportable(f"GLM of two classes with the link {link}, expected logit")
    if link not in ("identity", "log", "logit", "probit"):
        raise NotExportable(f"GLM of the family {family} with the link {link}, expected identity, log, logit or probit")
    return _number(link)


def _plain(names, features):
    """The columns of a model without a formula, None for the constant."""
    known = {feature.column: feature for feature in features}
    for name in names:
        if name not in known and name not in ("const", "Intercept"):
            raise NotExportable(f"the coefficient {name!r} is no column of X")
        yield known.get(name)


def _patsy(design, features):
    """The features of a formula, None for the intercept: numbers, and the contrasts of categories."""
    known = {feature.column: feature for feature in features}
    for term in design.terms:
        if len(term.factors) == 0:
            yield None
            continue
        if len(term.factors) > 1:
            raise NotExportable(f"the interaction {term.name()!r}")
        factor = term.factors[0]
        column = _column_of(factor.code, known)
        info = design.factor_infos[factor]
        for part in design.term_codings[term]:
            if info.type == "numerical":
                if factor.code != column and not factor.code.startswith("Q("):
                    raise NotExportable(f"the computed term {factor.code!r}")
                yield known[column]
                continue
            for contrast in part.contrast_matrices[factor].matrix.T:
                yield Categories(column, {_text(value): float(w) for value, w in zip(info.categories, contrast)})


def _column_of(code, known):
    """The column of a factor: its name, Q("name") or C(column, ...)."""
    inner = re.fullmatch(r"C\((.*)\)", code, re.DOTALL)
    text = inner.group(1) if inner else code
    if inner and text not in known and not text.startswith("Q("):
        text = text.split(",")[0].strip()
    quoted = re.match(r"Q\((('|\").*?\2)\)", text, re.DOTALL)
    name = ast.literal_eval(quoted.group(1)) if quoted else text
    if name not in known:
        raise NotExportable(f"the computed term {code!r}")
    return name
