import os
import pathlib
import signal
import stat
import tempfile
import time
import unittest

from support import QUICK, engines_of, is_running, mixed, python, wait_until

from conformant import EngineError, ExpectedClassifier
from conformant import _engine

LONG = {"components": "auto", "numeric": "auto", "missing": "random", "l2": 1, "model": "logistic"}
FIT = "from support import *; from conformant import ExpectedClassifier; X, y = mixed(3000)\n"


class Engine(unittest.TestCase):
    def setUp(self):
        self.X, self.y = mixed()
        _engine.shut_down()

    def test_one_process_answers_all_requests(self):
        model = ExpectedClassifier(**QUICK).fit(self.X, self.y)
        before = engines_of(os.getpid())
        model.explain(self.X.iloc[0])
        model.ask({"a": 1.0})
        self.assertEqual(engines_of(os.getpid()), before)
        self.assertEqual(len(before), 1)
        _engine.shut_down()
        self.assertEqual(engines_of(os.getpid()), [])

    def test_predictions_need_no_node(self):
        model = ExpectedClassifier(**QUICK).fit(self.X, self.y)
        with tempfile.TemporaryDirectory() as folder:
            model.save(pathlib.Path(folder) / "model.json")
            run = python(
                f"from conformant import *; m = ExpectedClassifier.load({str(pathlib.Path(folder) / 'model.json')!r})\n"
                "print(m.predict([{'a': 5.0}, {'a': -5.0}]))\n"
                "try: m.explain({'a': 1.0})\nexcept EngineError as error: print(error.code, error)",
                env={"PATH": folder},
            )
            said, errors = run.communicate()
        self.assertIn("['1' '0']", said, errors)
        self.assertIn("no-node Node.js 20.19 or newer was not found", said)

    def test_an_old_node_and_what_is_no_node_are_named(self):
        for program, words in (("echo v18.1.0", "is Node.js v18.1.0, expected 20.19"), ("exit 3", "is not Node.js")):
            with tempfile.TemporaryDirectory() as folder:
                node = pathlib.Path(folder) / "node"
                node.write_text(f"#!/bin/sh\n{program}\n")
                node.chmod(node.stat().st_mode | stat.S_IXUSR)
                os.environ["CONFORMANT_NODE"] = str(node)
                try:
                    with self.assertRaisesRegex(EngineError, words):
                        ExpectedClassifier(**QUICK).fit(self.X, self.y)
                finally:
                    del os.environ["CONFORMANT_NODE"]

    def test_a_time_limit_ends_the_work_and_the_process(self):
        X, y = mixed(4000)
        with self.assertRaises(EngineError) as caught:
            ExpectedClassifier(time_limit=0.05, **LONG).fit(X, y)
        self.assertEqual(caught.exception.code, "time-limit")
        self.assertEqual(engines_of(os.getpid()), [])
        ExpectedClassifier(**QUICK).fit(self.X, self.y)

    def test_too_little_memory_is_named(self):
        run = python(
            FIT + "from conformant import EngineError\nX, y = mixed(400000)\n"
            "try: ExpectedClassifier().fit(X, y)\nexcept EngineError as error: print(error.code, error)",
            env={"NODE_OPTIONS": "--max-old-space-size=24"},
        )
        said, errors = run.communicate()
        self.assertIn("out-of-memory", said, errors)

    def test_an_engine_that_is_killed_is_named_and_the_next_call_works(self):
        run = python(
            FIT + "import threading, os, signal\nfrom conformant import EngineError\n"
            "def kill():\n    wait_until(lambda: engines_of(os.getpid())); os.kill(engines_of(os.getpid())[0], signal.SIGKILL)\n"
            "threading.Thread(target=kill).start()\n"
            "try: ExpectedClassifier().fit(X, y)\nexcept EngineError as error: print(error.code, error)\n"
            "print(ExpectedClassifier(**QUICK).fit(X, y).classes_)"
        )
        said, errors = run.communicate()
        self.assertIn("killed the engine was ended by signal 9", said, errors)
        self.assertIn("[0 1]", said)

    def test_no_engine_outlives_its_python(self):
        for number in (signal.SIGKILL, signal.SIGTERM, signal.SIGINT):
            folder = tempfile.mkdtemp()
            self.addCleanup(os.rmdir, folder)
            run = python(FIT + "ExpectedClassifier().fit(X, y)", env={"TMPDIR": folder})
            self.assertTrue(wait_until(lambda: engines_of(run.pid)))
            time.sleep(0.2)
            (engine,) = engines_of(run.pid)
            run.send_signal(number)
            run.communicate()
            self.assertTrue(wait_until(lambda: not is_running(engine)))
            self.assertEqual(os.listdir(folder), [])

    def test_after_an_interrupt_the_next_call_works(self):
        run = python(
            FIT + "import os\ntry: ExpectedClassifier().fit(X, y)\nexcept KeyboardInterrupt: print('interrupted', engines_of(os.getpid()))\n"
            "print(ExpectedClassifier(**QUICK).fit(X, y).classes_)"
        )
        self.assertTrue(wait_until(lambda: engines_of(run.pid)))
        time.sleep(0.3)
        run.send_signal(signal.SIGINT)
        said, errors = run.communicate()
        self.assertIn("interrupted []", said, errors)
        self.assertIn("[0 1]", said, errors)

    def test_a_fork_has_engines_of_its_own(self):
        model = ExpectedClassifier(**QUICK).fit(self.X, self.y)
        (engine,) = engines_of(os.getpid())
        child = os.fork()
        if child == 0:
            try:
                own = ExpectedClassifier(**QUICK).fit(self.X, self.y)
                os._exit(0 if engine not in engines_of(os.getpid()) and own.model_ == model.model_ else 1)
            except BaseException:
                os._exit(2)
        self.assertEqual(os.waitpid(child, 0)[1], 0)
        model.explain(self.X.iloc[0])
        self.assertEqual(engines_of(os.getpid()), [engine])


if __name__ == "__main__":
    unittest.main()
