"""Kills the engine or Python at random moments: nothing may be left behind, and the next call must work."""

import os
import random
import signal
import tempfile
import time
import unittest

from support import engines_of, is_running, python, wait_until

KILLS = int(os.environ.get("KILLS", "100"))
PROGRAM = """
import sys
from support import *
from conformant import EngineError, ExpectedClassifier
X, y = mixed(400)
print("ready", flush=True)
ended = 0
while ended == 0:
    try:
        model = ExpectedClassifier(components="auto", numeric="auto", missing="random", model="logistic").fit(X, y)
        model.explain({"a": 1.0})
    except (EngineError, KeyboardInterrupt) as error:
        ended += 1
        print(type(error).__name__, getattr(error, "code", ""), flush=True)
print(ExpectedClassifier(**QUICK).fit(X, y).explain({"a": 1.0})["prediction"], flush=True)
"""


class Kills(unittest.TestCase):
    def test_nothing_is_left_and_the_next_call_works(self):
        moments = random.Random(int(os.environ.get("SEED", "0")))
        folder = tempfile.mkdtemp()
        self.addCleanup(os.rmdir, folder)  # fails, too, if a file is left in it
        for kill in range(KILLS):
            victim = ("engine", "interrupt", "python")[kill % 3]
            with self.subTest(kill=kill, victim=victim):
                run = python(PROGRAM, env={"TMPDIR": folder})
                self.assertEqual(run.stdout.readline(), "ready\n")
                self.assertTrue(wait_until(lambda: engines_of(run.pid) or run.poll() is not None))
                time.sleep(1.5 * moments.random())
                engines = engines_of(run.pid)
                if victim == "engine":
                    while not self.kill_one(run.pid):
                        time.sleep(0.01)
                else:
                    run.send_signal(signal.SIGINT if victim == "interrupt" else signal.SIGKILL)
                said, errors = run.communicate(timeout=120)
                if victim == "python":
                    self.assertEqual(run.returncode, -signal.SIGKILL)
                else:
                    self.assertEqual(run.returncode, 0, errors)
                    self.assertIn("EngineError killed" if victim == "engine" else "KeyboardInterrupt", said, errors)
                    self.assertTrue(said.endswith("\n1\n"), said + errors)
                self.assertTrue(wait_until(lambda: not any(is_running(engine) for engine in engines)))
        self.assertEqual(os.listdir(folder), [])

    def kill_one(self, parent):
        for engine in engines_of(parent):
            os.kill(engine, signal.SIGKILL)
            return True
        return False


if __name__ == "__main__":
    unittest.main()
