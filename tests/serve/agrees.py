"""agrees.py CLASS.db GRADES.csv - whether the grades are of what was last handed in: each student and lesson of the one has a line in the other, with that time."""
import csv
import datetime
import sqlite3
import sys

last = {(student, lesson): at for student, lesson, at in sqlite3.connect(sys.argv[1]).execute(
    "SELECT id, lesson, at FROM handed JOIN student ON student.number = student ORDER BY handed.number")}
graded = {(row["student"], row["lesson"]): row for row in csv.DictReader(open(sys.argv[2], encoding="utf-8")) if row["handed_in"]}
for key in sorted(last.keys() | graded.keys()):
    at = datetime.datetime.fromtimestamp(last.get(key, 0), datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%SZ")
    if key not in last or key not in graded or graded[key]["handed_in"] != at:
        print(key, at, graded.get(key))
