"""Reads a model file (docs/model-file.md) without the engine."""

from __future__ import annotations

import json
import zlib
from typing import Any

import numpy as np

NEWEST_VERSION = 6
_IMPOSSIBLE = -1e4  # what log 0 counts as for an observed cell


def read_model(text: str) -> dict[str, Any]:
    """The model file as an object; its checksum must hold."""
    try:
        model = json.loads(text)
    except ValueError as error:
        raise ValueError(f"the model file is not complete JSON ({len(text)} characters): {error}") from None
    if not isinstance(model, dict) or model.get("format") != "conformant-model":
        raise ValueError('a model file has "format": "conformant-model"')
    version = model.get("version")
    if not isinstance(version, int) or version > NEWEST_VERSION:
        raise ValueError(f"the model file has version {version!r}, this package reads up to {NEWEST_VERSION}")
    body, _, _ = text.rpartition(',"checksum":')
    actual = f"{zlib.crc32((body + '}').encode('utf-16-le', 'surrogatepass')):08x}"
    if model.get("checksum") != actual:
        raise ValueError(f"the model file was altered: its contents have checksum {actual}, the file says {model.get('checksum')!r}")
    return model


def program_data(model: dict[str, Any]) -> dict[str, Any]:
    """What the program of a model needs (_program.load_program), as `conformant export --to python` writes it."""
    distribution, columns = model["distribution"], model["schema"]["columns"]
    block = distribution.get("block", [])
    predictor = model.get("classifier") or model["regressor"]
    answer, intercept, weights = _number(model) if "regressor" in model else _classes(model)
    data: dict[str, Any] = {**answer, "intercept": intercept.tolist(), "columns": []}
    if "label" in predictor:
        data["label"] = predictor["label"]
    tilt = 0.0 if "regressor" in model else 1.0  # a number has no classes, whose scores a distribution could carry
    slot = 0
    scores = []  # per column atoms × K
    for column, atoms in zip(columns, distribution["atoms"]):
        own = weights[slot : slot + _slots(column)]
        slot += len(own)
        program = {**column, "weights": own.tolist()}
        if column["kind"] == "numeric":
            program["atoms"] = [0.0] if atoms is None else atoms["values"]
            program["edges"] = [] if atoms is None else atoms["edges"]
            scores.append(tilt * np.outer(program["atoms"], own[0]))
        else:
            scores.append(tilt * (np.outer([0.0, 1.0], own[0]) if column["kind"] == "binary" else own))
        data["columns"].append(program)
    if block:
        data["block"] = block
    slopes = tilt * np.array([own["weights"][0] if own["kind"] in ("numeric", "binary") else 0 * intercept for own in data["columns"]])
    data["components"] = [_component(own, scores, tilt * intercept, slopes[block]) for own in distribution["components"]]
    if "trees" in model:
        trees = model["trees"]
        data["trees"] = {**trees, "threshold": [0 if own is None else own for own in trees["threshold"]]}
    return data


def _classes(model: dict[str, Any]) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    """What a classifier answers with, its intercept and its weights, slots × K."""
    classifier = model["classifier"]
    intercept = np.array(classifier["intercept"], float)
    return {"classes": classifier["classes"]}, intercept, np.array(classifier["weights"], float).reshape(-1, len(intercept))


def _number(model: dict[str, Any]) -> tuple[dict[str, Any], np.ndarray, np.ndarray]:
    """The same of a regressor, with K = 1; trees have no weights."""
    regressor = model["regressor"]
    answer = {"output": regressor["output"]}
    if regressor["kind"] == "trees":
        slots = sum(_slots(column) for column in model["schema"]["columns"])
        return answer, np.zeros(1), np.zeros((slots, 1))
    if regressor["link"] not in ("identity", "log"):
        raise ValueError(f"the regressor has the link {regressor['link']!r}; predictions in NumPy know 'identity' and 'log'")
    return {**answer, "link": regressor["link"]}, np.array([regressor["intercept"]], float), np.array(regressor["weights"], float)[:, None]


def _slots(column: dict[str, Any]) -> int:
    if column["kind"] == "categorical":
        return len(column["values"])
    return len(column["edges"]) + 1 if column["kind"] == "binned" else 1


def _component(component: dict[str, Any], scores: list[np.ndarray], intercept: np.ndarray, slopes: np.ndarray) -> dict[str, Any]:
    """log π_m − log Z_m, log q by column and atom, log Z_ki, and the Gaussian.

    scores: per column atoms × K. slopes: columns of the Gaussian × K.
    """
    log_q = [_normalized(np.array([-np.inf if q is None else q for q in own], float)) for own in component["logQ"]]
    # log Z_ki = log Σ_v q_i(v) exp(s_ki(v)), columns × K
    log_z = np.array([_log_sum(q[:, None] + s) for q, s in zip(log_q, scores)]).reshape(len(scores), len(intercept))
    logits = intercept + log_z.sum(axis=0)
    data: dict[str, Any] = {"logQ": [np.maximum(q, _IMPOSSIBLE).tolist() for q in log_q], "logZ": log_z.tolist()}
    if "gaussian" in component:
        gaussian = component["gaussian"]
        mean = np.array(gaussian["mean"], float)
        covariance = _covariance(gaussian, len(mean))
        triangle = [covariance[a, : a + 1].tolist() for a in range(len(mean))]
        data["gaussian"] = {"mean": gaussian["mean"], "covariance": triangle}
        logits = logits + mean @ slopes + np.einsum("ak,ab,bk->k", slopes, covariance, slopes) / 2
    data["constant"] = component["logWeight"] - _log_sum(logits)
    return data


def _covariance(gaussian: dict[str, Any], n: int) -> np.ndarray:
    """Σ, from its lower triangle or as Ψ + Λ J Λᵀ."""
    if "lowRank" in gaussian:
        low_rank = gaussian["lowRank"]
        loadings = np.array(low_rank["loadings"], float)
        return np.diag(np.array(low_rank["diagonal"], float)) + loadings * np.array(low_rank["signs"], float) @ loadings.T
    covariance = np.zeros((n, n))
    for a, row in enumerate(_triangle(gaussian["covariance"], n)):
        covariance[a, : a + 1] = covariance[: a + 1, a] = row
    return covariance


def _triangle(covariance: list[Any], n: int) -> list[list[float]]:
    """The rows of a lower triangle, which the file has one after the other or as lists."""
    if n == 0 or isinstance(covariance[0], list):
        return covariance
    return [covariance[a * (a + 1) // 2 : a * (a + 1) // 2 + a + 1] for a in range(n)]


def _normalized(logs: np.ndarray) -> np.ndarray:
    total = np.exp(logs).sum()
    return logs if abs(total - 1) <= 1e-14 else logs - np.log(total)


def _log_sum(logs: np.ndarray) -> Any:
    largest = logs.max(axis=0)
    return largest + np.log(np.exp(logs - largest).sum(axis=0))
