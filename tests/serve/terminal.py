"""terminal.py COMMAND... - runs it in a terminal of its own, presses Ctrl-C once it has said its address, and prints what is wrong: that it did not end well, or
that the terminal is not as it was. Bounded in time: 20 seconds."""
import os
import pty
import select
import sys
import termios
import time

process, terminal = pty.fork()
if process == 0:
    os.execv(sys.argv[1], sys.argv[1:])
said, begun, pressed = b"", time.monotonic(), False
while time.monotonic() - begun < 20:
    if not select.select([terminal], [], [], 0.2)[0]:
        continue
    try:
        some = os.read(terminal, 4096)
    except OSError:
        break
    said += some
    if not pressed and b"Ctrl-C" in said:
        time.sleep(0.5)
        if termios.tcgetattr(terminal)[3] & termios.ISIG:
            print("Ctrl-C would be a signal to make as well")
        os.write(terminal, b"\x03")
        pressed = True
    if b"Closed" in said:
        break
if not termios.tcgetattr(terminal)[3] & termios.ISIG or not termios.tcgetattr(terminal)[3] & termios.ECHO:
    print("the terminal is not as it was")
_, status = os.waitpid(process, 0)
if status != 0 or b"Closed" not in said:
    print(f"status {status}: {said!r}")
