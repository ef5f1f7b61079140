#!/usr/bin/env python3
"""compare.py GRADES.csv EXPECTED.tsv: what in the grades is not as expected, a line each (make.py).
compare.py GRADES.csv OTHER.csv: where two gradings differ in what was judged."""
import csv
import sys

JUDGED = ("verdict", "score", "max_score")


def grades(path):
    with open(path, encoding="utf-8", newline="") as file:
        return {(row["student"], row["lesson"]): tuple(row[key] for key in JUDGED) for row in csv.DictReader(file)}


found = grades(sys.argv[1])
if sys.argv[2].endswith(".csv"):
    other = grades(sys.argv[2])
    for key in sorted(found.keys() | other.keys()):
        if found.get(key) != other.get(key):
            print(*key, found.get(key), "and", other.get(key))
else:
    for line in open(sys.argv[2], encoding="utf-8"):
        student, lesson, expected = line.rstrip("\n").split("\t")
        verdict, score, most = found.get((student, lesson), ("nothing", "", ""))
        if verdict != expected or (verdict == "pass") != (verdict not in ("refused", "nothing") and score == most):
            print(student, lesson, f"expected {expected}, graded {verdict} {score} of {most}")
