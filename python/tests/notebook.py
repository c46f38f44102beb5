"""Runs the code cells of a notebook, one after the other, in the folder of the examples.

    python3 notebook.py docs/tutorials/python.ipynb           compares what they print with what the notebook has
    python3 notebook.py docs/tutorials/python.ipynb --write   writes what they print into the notebook
"""

import ast
import contextlib
import io
import json
import os
import pathlib
import sys

path = pathlib.Path(sys.argv[1]).resolve()
notebook = json.loads(path.read_text(encoding="utf-8"))
os.chdir(pathlib.Path(__file__).resolve().parents[2] / "examples")
names = {"__name__": "__main__"}


def run(source):
    """Runs a cell; what it prints, and the last expression as a notebook shows it."""
    tree = ast.parse(source)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, "cell", "exec"), names)
        value = None if last is None else eval(compile(ast.Expression(last.value), "cell", "eval"), names)
    outputs = []
    if printed.getvalue():
        outputs.append({"output_type": "stream", "name": "stdout", "text": printed.getvalue().splitlines(True)})
    if value is not None:
        data = {"text/plain": repr(value).splitlines(True)}
        if hasattr(value, "_repr_html_"):
            data["text/html"] = value._repr_html_().splitlines(True)
        outputs.append({"output_type": "execute_result", "execution_count": None, "metadata": {}, "data": data})
    return outputs


def texts(outputs):
    """What is compared: pictures and tables in HTML follow from the same values."""
    return ["".join(own.get("text") or own["data"]["text/plain"]) for own in outputs]


for number, cell in enumerate(notebook["cells"]):
    if cell["cell_type"] != "code":
        continue
    outputs = run("".join(cell["source"]))
    if "--write" in sys.argv:
        cell["outputs"] = outputs
    elif texts(outputs) != texts(cell["outputs"]):
        sys.exit(f"cell {number} of {path.name} has {texts(cell['outputs'])}, but prints {texts(outputs)}")
if "--write" in sys.argv:
    path.write_text(json.dumps(notebook, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")
