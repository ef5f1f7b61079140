#!/usr/bin/env python3
"""orphans.py COUNT SECONDS COMMAND ARGS...: kills COMMAND COUNT times and looks whether anybody whom it started is still there. Half of
the kills come at any moment of its first SECONDS, the others while the first process of a bubblewrap has begun and still waits for the
second, which is stopped and continued until that is so. Every third kill takes all processes of COMMAND's own program at once, as a cluster's
node or `pkill -9` does, the others COMMAND alone. Prints how often somebody was left behind, of how many kills, and how many of
these found a bubblewrap waiting. This process adopts orphans."""
import ctypes
import os
import random
import signal
import subprocess
import sys
import time

PR_SET_CHILD_SUBREAPER = 36


def children():
    with open("/proc/thread-self/children", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def children_of(pid):
    try:
        with open(f"/proc/{pid}/task/{pid}/children", encoding="ascii") as file:
            return [int(word) for word in file.read().split()]
    except OSError:
        return []


def descendants(pid):
    found = []
    for child in children_of(pid):
        found += [child] + descendants(child)
    return found


def read_of(pid, name):
    try:
        with open(f"/proc/{pid}/{name}", encoding="ascii", errors="replace") as file:
            return file.read().strip()
    except OSError:
        return ""


def waits_for_parent(pid):
    """Reads, as the child of a bubblewrap does only while it waits to be told to go on. It gets a moment to come to that."""
    for _ in range(10):
        if read_of(pid, "comm") != "bwrap":
            return False
        if read_of(pid, "syscall").startswith("0 "):
            return True
        time.sleep(0.001)
    return False


def stop_in_the_middle(victim):
    """Leaves a bubblewrap stopped that has not yet told its child to go on; False when there was none in time."""
    end = time.monotonic() + 5
    while victim.poll() is None and time.monotonic() < end:
        for pid in descendants(victim.pid):
            if read_of(pid, "comm") != "bwrap":
                continue
            try:
                os.kill(pid, signal.SIGSTOP)
                if any(waits_for_parent(child) for child in children_of(pid)):
                    return True
                os.kill(pid, signal.SIGCONT)
            except ProcessLookupError:
                pass
    return False


def kill_all_alike(victim):
    """Those whom it has started and who run the same program, and then itself: nobody is left who could clear up."""
    program = read_of(victim.pid, "comm")
    for pid in [pid for pid in descendants(victim.pid) if read_of(pid, "comm") == program] + [victim.pid]:
        try:
            os.kill(pid, signal.SIGKILL)
        except ProcessLookupError:
            pass


def reap(patience):
    """Waits until there are no children any more; those that stay."""
    end = time.monotonic() + patience
    while True:
        try:
            pid, _ = os.waitpid(-1, os.WNOHANG)
        except ChildProcessError:
            return []
        if pid == 0:
            if time.monotonic() > end:
                return children()
            time.sleep(0.002)


def main():
    count, seconds, command = int(sys.argv[1]), float(sys.argv[2]), sys.argv[3:]
    random.seed(1)
    ctypes.CDLL(None, use_errno=True).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)
    left = kills = waiting = 0
    for number in range(count):
        victim = subprocess.Popen(command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        if number % 2:
            time.sleep(seconds * (number + random.random()) / count)
        else:
            waiting += stop_in_the_middle(victim)
        kills += victim.poll() is None
        if number % 3 == 2:
            kill_all_alike(victim)
        else:
            victim.send_signal(signal.SIGTERM if number % 4 == 3 else signal.SIGKILL)
        victim.wait()
        rest = reap(10)
        left += bool(rest)
        for pid in rest:
            with open(f"/proc/{pid}/cmdline", "rb") as file:
                print(pid, file.read().replace(b"\0", b" ")[:200], file=sys.stderr)
            os.kill(pid, signal.SIGKILL)
        reap(2)
    print(f"{left} of {kills}, {waiting} of them in the middle")


main()
