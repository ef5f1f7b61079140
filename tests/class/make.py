#!/usr/bin/env python3
"""Makes a class whose grades are known: a folder for each student, and what must come of it.

    make.py SEED STUDENTS LESSONS FOLDER

FOLDER/submissions/sNNN/NN-name.cu are the submissions, FOLDER/expected.tsv has a line for each student and lesson: student, lesson,
verdict (pass, fail, refused, nothing). Right files are the course's solutions and other right ways, wrong ones its typical mistakes,
hostile ones attacks of tests/cli; some are empty, some larger than any source, some are no regular files. A pass has all points.
The same seed makes the same class."""
import glob
import os
import random
import re
import sys

# What a student hands in for a lesson, and how many of a hundred do.
KINDS = [("right", 50), ("wrong", 28), ("hostile", 8), ("empty", 4), ("huge", 3), ("link", 2), ("fifo", 1), ("nothing", 4)]
# Attacks that a run of minutes has time for; all are written for lesson 01.
ATTACKS = ["cli/attacks/exit-in-the-last-case", "cli/attacks/goodbye-forged", "cli/attacks/killed-by-itself",
           "cli/attacks/leak-plain", "cli/attacks/mark-forged", "cli/attacks/escapes-in-names", "cli/hostile/exit-early",
           "cli/hostile/kill-parent", "cli/hostile/include-passwd", "cli/hostile/forged-terminal", "cli/hostile/print-escapes"]
LESSONS = ["01", "07", "08", "10", "12", "04", "11", "05"]


def read(path):
    with open(path, encoding="utf-8") as file:
        return file.read()


def message(name):
    """The number of a message on the device's socket, which some attacks forge: its row in the table."""
    rows = re.findall(r"^(?:WIRE_MESSAGE|WIRE_ONE_WAY|API_FUNCTION|API_LIKE|API_REFUSED)\((.*)", read("warpgrind/cudart/api.def"), re.M)
    return next(i for i, row in enumerate(rows) if name + "," in "(" + row or row.startswith(name + ","))


def attack(name):
    """An attack as a submission, and its verdict."""
    text = read(f"tests/{name}.cu")
    if "cli/hostile" in name:
        return text, "fail"
    verdict = re.search(r"^// verdict: (\w+)", text, re.M)
    head = f"#define MARK {message('MARK')}\n#define GOODBYE {message('GOODBYE')}\n" + read("tests/cli/attacks/prelude.cuh")
    return head + text, verdict.group(1) if verdict else "fail"


def right_files(lesson):
    """Those with all points: a right way that costs more than it should says so in its margin."""
    files = [f"solutions/{lesson}/solution.cu"] + sorted(glob.glob(f"solutions/{lesson}/alternatives/*.cu"))
    return [file for file in files if "expect-note: over-budget" not in read(file)]


def wrong_files(lesson):
    """Typical mistakes: not those that only cost points."""
    return [file for file in sorted(glob.glob(f"solutions/{lesson}/mutants/*.cu")) if "// expect: " in read(file)]


def hand_in(draw, kind, lesson, path):
    """Writes one submission; its verdict."""
    if kind == "hostile" and not lesson.startswith("01"):
        kind = "wrong"
    if kind == "nothing":
        return "nothing"
    if kind == "link":
        os.symlink("/etc/passwd", path)
        return "refused"
    if kind == "fifo":
        os.mkfifo(path)
        return "refused"
    verdict = {"right": "pass", "huge": "refused"}.get(kind, "fail")
    if kind == "right":
        text = read(draw.choice(right_files(lesson)))
    elif kind == "wrong":
        text = read(draw.choice(wrong_files(lesson)))
    elif kind == "hostile":
        text, verdict = attack(draw.choice(ATTACKS))
    else:
        text = "" if kind == "empty" else "// more than a source file has\n" * 70000
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return verdict


def main():
    seed, students, count, folder = int(sys.argv[1]), int(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    draw = random.Random(seed)
    lessons = sorted(os.path.basename(path) for number in LESSONS[:count] for path in glob.glob(f"solutions/{number}-*"))
    kinds, weights = zip(*KINDS)
    with open(os.path.join(folder, "expected.tsv"), "w", encoding="utf-8") as expected:
        for student in (f"s{number:03}" for number in range(1, students + 1)):
            place = os.path.join(folder, "submissions", student)
            os.makedirs(place)
            for lesson in lessons:
                kind = draw.choices(kinds, weights)[0]
                expected.write(f"{student}\t{lesson}\t{hand_in(draw, kind, lesson, os.path.join(place, lesson + '.cu'))}\n")


main()
