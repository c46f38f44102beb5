"""Builds the wheel with Python's standard library: every file of the package, what `npm run build` has put into it among them.

`pip install ./python` calls it, and so does `npm run package`: python3 python/build_backend.py writes python/dist.
"""

import base64
import hashlib
import pathlib
import sys
import zipfile

HERE = pathlib.Path(__file__).resolve().parent
PACKAGE = HERE / "src" / "conformant"
DATE = (2020, 1, 1, 0, 0, 0)  # the same wheel for the same files


def _settings():
    """What pyproject.toml says of the package. Python has a reader of TOML from 3.11 on; these lines are read without one."""
    settings = {}
    for line in (HERE / "pyproject.toml").read_text(encoding="utf-8").splitlines():
        name, equals, value = line.partition(" = ")
        if equals and value[:1] in "\"[":
            try:
                settings[name] = eval(value, {})  # a string or a list on one line: the same in TOML and Python
            except SyntaxError:
                continue
    return settings


def _version():
    built = PACKAGE / "_built" / "__init__.py"
    if not built.exists():
        raise SystemExit("python/src/conformant/_built is missing: run npm run build first")
    names = {}
    exec(built.read_text(encoding="utf-8"), names)
    return names["VERSION"]


def _metadata():
    own = _settings()
    lines = [
        "Metadata-Version: 2.1",
        "Name: conformant",
        f"Version: {_version()}",
        f"Summary: {own['description']}",
        f"Home-page: {own['Homepage']}",
        "License: MIT",
        f"Keywords: {','.join(own['keywords'])}",
        "Classifier: License :: OSI Approved :: MIT License",
        "Classifier: Programming Language :: Python :: 3",
        "Classifier: Typing :: Typed",
        f"Requires-Python: {own['requires-python']}",
        *(f"Requires-Dist: {name}" for name in own["dependencies"]),
        *(
            line
            for extra in ("node", "pandas")
            for line in (f"Provides-Extra: {extra}", *(f'Requires-Dist: {name} ; extra == "{extra}"' for name in own[extra]))
        ),
        "Description-Content-Type: text/markdown",
        "",
        (HERE / "README.md").read_text(encoding="utf-8"),
    ]
    return "\n".join(lines)


def _files():
    """The names in the wheel and their bytes."""
    for path in sorted(PACKAGE.rglob("*")):
        if path.is_file() and "__pycache__" not in path.parts:
            yield f"conformant/{path.relative_to(PACKAGE).as_posix()}", path.read_bytes()
    info = f"conformant-{_version()}.dist-info"
    yield f"{info}/METADATA", _metadata().encode()
    yield f"{info}/WHEEL", b"Wheel-Version: 1.0\nGenerator: conformant\nRoot-Is-Purelib: true\nTag: py3-none-any\n"
    yield f"{info}/LICENSE", (HERE.parent / "LICENSE").read_bytes()


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    version = _version()
    name = f"conformant-{version}-py3-none-any.whl"
    record = []
    with zipfile.ZipFile(pathlib.Path(wheel_directory) / name, "w", zipfile.ZIP_DEFLATED) as wheel:

        def add(path, data):
            wheel.writestr(zipfile.ZipInfo(path, DATE), data, zipfile.ZIP_DEFLATED)

        for path, data in _files():
            digest = base64.urlsafe_b64encode(hashlib.sha256(data).digest()).rstrip(b"=").decode()
            record.append(f"{path},sha256={digest},{len(data)}\n")
            add(path, data)
        path = f"conformant-{version}.dist-info/RECORD"
        add(path, "".join([*record, f"{path},,\n"]))
    return name


if __name__ == "__main__":
    target = pathlib.Path(sys.argv[1]) if len(sys.argv) > 1 else HERE / "dist"
    target.mkdir(parents=True, exist_ok=True)
    for old in target.glob("conformant-*.whl"):
        old.unlink()
    print(target / build_wheel(target))
