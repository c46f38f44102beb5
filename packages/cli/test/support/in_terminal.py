"""Runs a command in a terminal: in_terminal.py COLUMNS KEYS AFTER COMMAND…  types KEYS after so many seconds.

Prints the exit status, the seconds from the keys to the end, and what was shown, as JSON.
"""

import fcntl
import json
import os
import pty
import select
import struct
import sys
import termios
import time

columns, keys, after = int(sys.argv[1]), sys.argv[2].encode().decode("unicode_escape"), float(sys.argv[3])
pid, terminal = pty.fork()
if pid == 0:
    fcntl.ioctl(0, termios.TIOCSWINSZ, struct.pack("HHHH", 24, columns, 0, 0))
    os.execvp(sys.argv[4], sys.argv[4:])
started, typed, shown = time.time(), None, b""
while True:
    if keys and typed is None and time.time() - started > after:
        os.write(terminal, keys.encode())
        typed = time.time()
    ready, _, _ = select.select([terminal], [], [], 0.02)
    if not ready:
        continue
    try:
        data = os.read(terminal, 1 << 16)
    except OSError:
        break
    if not data:
        break
    shown += data
_, status = os.waitpid(pid, 0)
end = time.time() - typed if typed else None
print(json.dumps({"status": os.waitstatus_to_exitcode(status), "end": end, "shown": shown.decode()}))
