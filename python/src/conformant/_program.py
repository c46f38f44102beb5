"""The program that answers rows in NumPy: the one that `conformant export --to python` writes, run as a module of its own per model."""

from __future__ import annotations

import decimal
import functools
import json
import pathlib
import re
import sys
import types
import warnings
from typing import Any, Mapping, Sequence

import numpy as np

from ._built import TIE

_FOLDER = pathlib.Path(__file__).with_name("_built") / "program"


@functools.lru_cache(maxsize=None)
def _code(part: str) -> types.CodeType:
    path = _FOLDER / f"{part}.py"
    return compile(path.read_text(encoding="utf-8"), str(path), "exec")


def load_program(data: Mapping[str, Any]) -> types.ModuleType:
    """A program for a model, from what it needs of it (_model_file.program_data)."""
    is_number, has_trees = "output" in data, "trees" in data
    parts = ["rows", "linear"] if is_number and not has_trees else ["rows"]
    parts.append("scores")
    if data.get("block"):
        parts.append("gaussian")
    if has_trees:
        parts.append("trees")
    parts.append("number" if is_number else "predict")
    program = _run(parts, data)
    if is_number and has_trees and "scale" not in data:
        program.__dict__["_SCALE"] = _spread(program)
    return program


_DRAWN = 1024  # rows from which a standard deviation is taken, as in the library


def _spread(program: types.ModuleType) -> float:
    """The standard deviation of the answers to rows drawn from the model's distribution: the unit of the errors of sampled answers."""
    row = np.full(len(program._COLUMNS), np.nan)
    shares = program._posterior(row[None]).sum(axis=2)[0]
    complete = program._completions(row, np.arange(len(row)), shares)
    rows = complete(np.random.default_rng(0).random((_DRAWN, len(row) + 1)))
    return float(program._link(program._sums(rows)).std()) or 1.0


@functools.lru_cache(maxsize=None)
def shared() -> types.ModuleType:
    """How cells are read, which does not depend on the model."""
    return _run(["rows"], {"classes": [], "columns": []})


def _run(parts: Sequence[str], data: Mapping[str, Any]) -> types.ModuleType:
    program = types.ModuleType("conformant._program_of_a_model")
    program.__dict__.update(
        {module.__name__: module for module in (decimal, json, re, sys, warnings)}, np=np, MODEL=data, TIE=TIE
    )
    for part in parts:
        exec(_code(part), program.__dict__)
    return program
