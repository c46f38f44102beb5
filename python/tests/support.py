"""Tables and processes that several tests use."""

import os
import pathlib
import subprocess
import time

import numpy as np
import pandas as pd

ROOT = pathlib.Path(__file__).resolve().parents[2]
QUICK = {"components": 1, "numeric": "gaussian", "missing": "random", "l2": 1, "model": "logistic", "cross_validation": False}


def penguins():
    """The penguins of the examples and their species."""
    table = pd.read_csv(ROOT / "examples" / "penguins.csv")
    return table.drop(columns="species"), table["species"]


def mixed(rows=300, seed=0):
    """Numbers and a category with an answer of two classes that depends on all of them."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"a": random.normal(size=rows), "b": random.normal(size=rows), "c": random.choice(["x", "y", "z"], rows)})
    y = (X.a + X.b + (X.c == "x") + 0.3 * random.normal(size=rows) > 0.3).astype(int)
    return X, y


def prices(rows=300, seed=0):
    """Two numbers and a category with a number that depends on all of them."""
    random = np.random.default_rng(seed)
    X = pd.DataFrame({"area": random.normal(size=rows), "age": random.normal(size=rows), "town": random.choice(["x", "y", "z"], rows)})
    return X, 3 * X.area - X.age + 2 * (X.town == "x") + 0.3 * random.normal(size=rows)


def masked(X, rate=0.3, seed=1):
    return X.mask(np.random.default_rng(seed).random(X.shape) < rate)


def engines_of(parent):
    """Process ids of the engines that a process started, zombies not among them."""
    found = []
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            state, ppid = pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[:2]
            words = pathlib.Path(f"/proc/{pid}/cmdline").read_bytes()
        except OSError:
            continue
        if int(ppid) == parent and state != "Z" and b"engine/main.js" in words:
            found.append(int(pid))
    return found


def is_running(pid):
    try:
        return pathlib.Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
    except OSError:
        return False


def wait_until(condition, seconds=30.0):
    deadline = time.monotonic() + seconds
    while not condition():
        if time.monotonic() > deadline:
            return False
        time.sleep(0.02)
    return True


def python(program, **options):
    """Starts Python with a program; the package and this folder can be imported."""
    import sys

    path = os.pathsep.join([str(ROOT / "python" / "src"), str(ROOT / "python" / "tests")])
    return subprocess.Popen(
        [sys.executable, "-c", program],
        env={**os.environ, "PYTHONPATH": path, **options.pop("env", {})},
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        **options,
    )
