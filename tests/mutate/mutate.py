#!/usr/bin/env python3
"""mutate.py - which small changes of the product do the tests notice? ROOM is a folder of C files, or several ("" is the whole product;
`:!FOLDER` leaves one out), N how many changes are drawn, SEED which, MINUTES how long it may take. CHANGES names a file of changes to try in
place of drawn ones, a row each: FILE | BEFORE | AFTER, with \\n for a line's end.

In a copy of the tree with a build of its own, each change meets the unit tests of its layer, for which the layer alone is built; then, with
everything built, the suites nearest to it (near.txt). When all have had their turn, those that survived meet all of make test, while there
is time (ALL=no: none does). Prints a line for each change and, last, how many were killed. What equivalent.txt names is listed with its
reason and not tried.
"""
import contextlib
import os
import random
import re
import shutil
import subprocess
import sys
import tempfile
import time

import sites

HERE = os.path.dirname(os.path.abspath(__file__))
ROOMS = ["autograder", "grading", "serve", "warpschool"] + [f"warpgrind/{room}" for room in ("base", "ptx", "gpu", "check", "device", "cudart", "warpcc")]
STEP_SECONDS, ALL_SECONDS, LEAST_SECONDS = 420, 3600, 60
HANGS = 8  # a step that takes so many times what it takes without a change hangs, on a busy machine, too
COUNT = re.compile(r"\d+ passed, \d+ failed")
FLAGS = ["-std=gnu11", "-D_GNU_SOURCE", "-I."]


def rows(name):
    with open(f"{HERE}/{name}", encoding="utf-8") as file:
        return [[field.strip() for field in line.replace(" |\n", " | \n").split(" | ")] for line in file if line.strip() and line[0] != "#"]


def read(path):
    with open(path, "rb") as file:
        return file.read()


def write(path, text):
    with open(path, "wb") as file:
        file.write(text)


def sources(room):
    """The product's C files in the rooms, each as often as it has hundreds of lines."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "--", *(room.split() or ROOMS)], capture_output=True, text=True, check=True)
    weights = []
    for path in listed.stdout.split():
        if path.endswith(".c") and path.startswith(tuple(ROOMS)):
            weights += [path] * (1 + read(path).count(b"\n") // 100)
    return weights


def changes_of(path, build):
    if path.startswith("warpgrind/"):
        return sites.sites(path.removeprefix("warpgrind/"), [*FLAGS, f"-I{build}/gen"], "warpgrind")
    return sites.sites(path, [*FLAGS, f"-I{build}/headers", f"-I{build}/gen"])


def draw(room, count, seed, build):
    """So many changes of files of the room; no two of the same place."""
    dice, known, drawn = random.Random(seed), {}, []
    weights = sources(room)
    for _ in range(20 * count if weights else 0):
        path = dice.choice(weights)
        if path not in known:
            known[path] = changes_of(path, build)
        fresh = [change for change in known[path] if all(change[:3] != other[:3] for other in drawn)]
        if fresh:
            drawn.append(dice.choice(fresh))
        if len(drawn) == count:
            break
    return drawn


def named(path_of_list):
    """The changes of a list; a row is tried where its text stands once."""
    with open(path_of_list, encoding="utf-8") as listed:
        wanted = [line.rstrip("\n").split(" | ", 2) for line in listed if line[0] != "#" and line.count(" | ") >= 2]
    for path, before, after in wanted:
        words = before.replace("\\n", "\n").split()
        pattern = re.compile(rb"\s+".join(re.escape(word.encode()) for word in words))
        places = [match.span() for match in pattern.finditer(read(path))] if os.path.exists(path) else []
        if len(places) == 1:
            yield sites.Change(path, *places[0], after.strip().replace("\\n", "\n").encode(), "by the list")
        else:
            print(f"not found   {path}: {before}")


def lines(change, old):
    """The lines of the change as they are and as they would be, in one each."""
    first, last = old.rfind(b"\n", 0, change.begin) + 1, old.find(b"\n", change.end)
    new = old[first:change.begin] + change.new + old[change.end:last]
    return tuple(" ".join(part.decode().split()) for part in (old[first:last], new))


class Copy:
    """A copy of the tree with what is built, in which one file at a time is changed."""

    def __init__(self, folder, build):
        self.folder, self.took = folder, {}
        shutil.rmtree(folder, ignore_errors=True)
        os.makedirs(f"{folder}/build")
        files = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], capture_output=True, check=True).stdout
        subprocess.run(["xargs", "-0", "cp", "-p", "--parents", "-t", folder], input=files, check=True)
        subprocess.run(["git", "init", "-q"], cwd=folder, check=True)  # some suites ask which files there are
        for part in ("bin", "gen", "headers", "include", "lessons", "lib", "obj", "site", "tests"):
            if os.path.exists(f"{build}/{part}"):
                subprocess.run(["cp", "-a", f"{build}/{part}", f"{folder}/build/"], check=True)

    @contextlib.contextmanager
    def changed(self, change):
        """While it lasts, the copy has the change."""
        old, path = read(change.path), f"{self.folder}/{change.path}"
        write(path, old[:change.begin] + change.new + old[change.end:])
        try:
            yield
        finally:
            write(path, old)

    def make(self, words, seconds, **more):
        """What make ended with, None where it took too long; and the last line of what it printed."""
        clean = {name: value for name, value in os.environ.items() if name not in ("MAKEFLAGS", "MFLAGS", "BUILD", "SUITE", "FILTER", "TIMES")}
        with tempfile.TemporaryFile("w+", errors="replace") as said:
            ran = subprocess.Popen(["make", "-s", f"-j{os.cpu_count()}", *words, *(f"{name}={value}" for name, value in more.items())], cwd=self.folder,
                                   env={**clean, "MAKELEVEL": "1", "FIRST_FAILURE": "1"}, stdin=subprocess.DEVNULL, stdout=said,
                                   stderr=subprocess.DEVNULL, start_new_session=True)
            try:
                status = ran.wait(max(seconds, 1))
            except subprocess.TimeoutExpired:
                os.killpg(ran.pid, 9)
                ran.wait()
                status = None
            said.seek(0)
            return status, (said.read().splitlines() or [""])[-1]

    def builds(self, seconds=STEP_SECONDS):
        return self.make(["all"], seconds)[0] == 0

    def step(self, suite, word, seconds=None):
        """What becomes of a suite: "passes" or "fails", and "none" where it did not come to a count, since something does not build."""
        started = time.time()
        status, last = self.make(["test"], seconds or max(STEP_SECONDS, HANGS * self.took.get((suite, word), 0)), SUITE=suite, FILTER=word)
        self.took.setdefault((suite, word), time.time() - started)
        if status is not None and not COUNT.fullmatch(last):
            return "none"
        return "passes" if status == 0 else "fails"


def nearest(path):
    """The row of near.txt for a file: the word of its unit tests, and [suite, word] of the others."""
    row = max((row for row in rows("near.txt") if path.startswith(row[0])), key=lambda row: len(row[0]), default=None)
    if row is None:
        return []
    others = [other.strip().partition("=")[::2] for other in row[2].split(",") if other.strip()]
    return [("unit", row[1])] + others


def meet_nearest(copy, path):
    """What became of a change that has been written into the copy: a word, and what noticed it."""
    unit, *others = nearest(path) or [None]
    if unit:
        became = copy.step(*unit)
        if became != "passes":
            return ("killed", " ".join(unit).strip()) if became == "fails" else ("no build", "")
    if not copy.builds():
        return "no build", ""
    for suite, word in others:
        if copy.step(suite, word) != "passes":
            return "killed", f"{suite} {word}".strip()
    return "survived", "the nearest suites"


def meet_all(copy, left):
    """The same of one that has survived the nearest suites. A suite that a change lets hang has noticed it, time that is up has not."""
    whole, _ = copy.make(["test"], min(left, ALL_SECONDS))
    if whole is None and left < ALL_SECONDS:
        return "survived", "the nearest suites; the time was up before all had run"
    return ("survived", "all suites") if whole == 0 else ("killed", "all")


def green(copy, changes):
    """Tests that fail without any change prove nothing: their names."""
    if not copy.builds(ALL_SECONDS):
        return ["all"]
    steps = dict.fromkeys(step for change in changes for step in nearest(change.path))
    return [f"{suite} {word}".strip() for suite, word in steps if copy.step(suite, word, ALL_SECONDS) != "passes"]


def report(state, more, change, shown):
    line = read(change.path)[:change.begin].count(b"\n") + 1
    print(f"{state:11} {change.path}:{line}: {change.words}{': ' + more if more else ''}")
    print(f"            {shown[0]}\n            {shown[1]}", flush=True)


def main():
    ask = os.environ.get
    build = os.path.realpath(ask("BUILD") or "build")
    until = time.time() + 60 * float(ask("MINUTES") or 30)
    changes = list(named(ask("CHANGES"))) if ask("CHANGES") else draw(ask("ROOM") or "", int(ask("N") or 10), int(ask("SEED") or 1), build)
    if not changes:
        sys.exit("no change was found: ROOM is a folder of C files, as warpgrind/gpu or autograder/verdict")
    known = {tuple(row[:3]): row[3] for row in rows("equivalent.txt")}
    copy = Copy(f"{build}/mutate", build)
    red = green(copy, changes)
    if red:
        sys.exit(f"these fail without a change: {', '.join(red)}")
    ends = {}
    for change in changes:
        old = read(change.path)
        shown = lines(change, old)
        if (change.path, *shown) in known:
            ends[change] = "equivalent", known[change.path, *shown]
        elif time.time() > until:
            ends[change] = "not tried", "the time is up"
        else:
            with copy.changed(change):
                ends[change] = meet_nearest(copy, change.path)
        report(*ends[change], change, shown)
    # Only survivors meet all suites, when every change has had its turn.
    for change in [change for change in changes if ends[change][0] == "survived" and ask("ALL") != "no"]:
        if until - time.time() > LEAST_SECONDS:
            with copy.changed(change):
                ends[change] = meet_all(copy, until - time.time())
            report(*ends[change], change, lines(change, read(change.path)))
    states = [state for state, _ in ends.values()]
    print(", ".join(f"{states.count(state)} {state}" for state in ("killed", "survived", "no build", "equivalent", "not tried")))


if __name__ == "__main__":
    main()
