#!/usr/bin/env python3
"""A class of six in seven systems: what each of them lets a teacher download.

    semester.py FOLDER

FOLDER/first is the class as plain folders, which came late: it is judged once, and what the systems bring is the same to the letter. FOLDER/SYSTEM has
three downloads, one for each assignment, as archives in one folder (of GitHub Classroom clones, in a folder each), and FOLDER/SYSTEM.csv is the system's list of
the class. gus is on no list."""
import csv
import datetime
import os
import subprocess
import sys
import zipfile

UTC = datetime.timezone.utc
DUE = datetime.datetime(2026, 10, 5, 12, 0, tzinfo=UTC)
LESSONS = ["01-vector-add", "02-launch-grid", "03-grid-stride"]
# id, first name, last name, login, number of the system's own
PEOPLE = [("1001", "Ann", "Lee", "annlee", 301), ("1002", "Ben", "Ray", "benray", 302), ("1003", "Cyo", "Åström", "cyo", 303),
          ("1004", "Dee", "O'Neil", "deeoak", 304), ("1005", "Eva", "=Sum", "evasum", 305), ("1006", "Fay", "Ito", "fayito", 306)]
STRANGER = ("gus", "Gus", "Guest", "gusguest", 399)
# Who handed in what for which lesson, and how many hours after it was due: right files, and empty ones, which get no points.
HANDED = {"1001": {0: ("right", -30), 1: ("right", -30), 2: ("right", -30)},
          "1002": {0: ("right", -20), 1: ("empty", -20), 2: ("right", 30)},   # two days late, one of which is a late day of his own
          "1003": {0: ("right", -20), 1: ("right", -20), 2: ("right", 75)},   # has until 80 hours after it was due
          "1004": {0: ("empty", -2), 1: ("right", -2), 2: ("empty", -2)},     # asks for another look at lesson 03
          "1005": {0: ("right", -9), 1: ("right", -9)},                       # is excused from lesson 03
          "1006": {1: ("right", -5), 2: ("right", 200)},                      # far too late for any points
          "gus": {0: ("right", -5)}}


def text_of(kind, lesson):
    if kind == "empty":
        return ""
    with open(f"solutions/{lesson}/solution.cu", encoding="utf-8") as file:
        return file.read()


def handed(number):
    """Each hand-in of a lesson: person, bytes, when."""
    for person in PEOPLE + [STRANGER]:
        if number in HANDED[person[0]]:
            kind, hours = HANDED[person[0]][number]
            yield person, text_of(kind, LESSONS[number]), DUE + datetime.timedelta(hours=hours)


def pack(path, entries):
    """A zip of (name, text, time); the times in it have no zone."""
    os.makedirs(os.path.dirname(path), exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, text, when in entries:
            archive.writestr(zipfile.ZipInfo(name, when.timetuple()[:6]), text)


def canvas(number):
    for (_, first, last, _, own), text, when in handed(number):
        late = "LATE_" if when > DUE else ""
        name = "".join(c for c in (last + first).lower() if c.isalnum())
        yield f"{name}_{late}{own}_{9000 + own}_{LESSONS[number]}.cu", text, when


def moodle(number):
    for (_, first, last, _, own), text, when in handed(number):
        yield f"{first} {last}_{own}_assignsubmission_file_/{LESSONS[number]}.cu", text, when


def gradescope(number):
    metadata = ""
    for (person, first, last, login, own), text, when in handed(number):
        folder = f"assignment_{number}_export/submission_{1000 * number + own}"
        yield f"{folder}/{LESSONS[number]}.cu", text, when
        metadata += (f"submission_{1000 * number + own}:\n  :submitters:\n  - :name: \"{first} {last}\"\n    :sid: '{person}'\n"
                     f"    :email: {login}@example.edu\n  :created_at: {when:%Y-%m-%d %H:%M:%S} Z\n")
    yield f"assignment_{number}_export/submission_metadata.yml", metadata, DUE


def blackboard(number):
    for (_, _, _, login, _), text, when in handed(number):
        stamp = f"{when:%Y-%m-%d-%H-%M-%S}"
        yield f"Lab {number}_{login}_attempt_{stamp}_{LESSONS[number]}.cu", text, DUE
        yield f"Lab {number}_{login}_attempt_{stamp}.txt", "Name: see the roster\n", DUE


def brightspace(number):
    yield "index.html", "<p>the folder</p>", DUE
    for (person, first, last, _, own), text, when in handed(number):
        stamp = f"{when:%b} {when.day}, {when.year} {when.hour % 12 or 12}{when:%M %p}"
        yield f"{own}-{4000 + number} - {person} {first} {last} - {stamp}/{LESSONS[number]}.cu", text, DUE


def sakai(number):
    yield f"Lab {number}/grades.csv", "Display ID,ID,Last Name,First Name,grade\n", DUE
    for (person, first, last, _, _), text, when in handed(number):
        folder = f"Lab {number}/{last}, {first}({person})"
        yield f"{folder}/Submission attachment(s)/{LESSONS[number]}.cu", text, DUE
        yield f"{folder}/Feedback Attachment(s)/{LESSONS[number]}.cu", "the teacher's", DUE
        yield f"{folder}/timestamp.txt", f"{when:%Y%m%d%H%M%S}200", DUE


def clone(folder, name, text, when):
    """A repository with one commit, as GitHub Classroom's command leaves it."""
    subprocess.run(["git", "init", "-q", "-b", "main", folder], check=True)
    history = (f"blob\nmark :1\ndata {len(text.encode())}\n{text}\n"
               f"commit refs/heads/main\ncommitter S <s@example.edu> {int(when.timestamp())} +0000\ndata 2\nx\nM 644 :1 {name}\n")
    subprocess.run(["git", "-C", folder, "fast-import", "--quiet"], input=history.encode(), check=True)
    with open(os.path.join(folder, name), "w", encoding="utf-8") as file:
        file.write(text)


def github(folder):
    for number, lesson in enumerate(LESSONS):
        for (_, _, _, login, _), text, when in handed(number):
            clone(os.path.join(folder, f"lab-{number}-submissions", f"lab-{number}-{login}"), lesson + ".cu", text, when)


def names(people, *columns):
    return [[column(person) for column in columns] for person in people]


def mail(person):
    return person[3] + "@example.edu"


SYSTEMS = {
    "canvas": (canvas, [["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework (4712)", "03-grid-stride (813)"],
                        ["    Points Possible", "", "", "", "", "20", "10"]] +
               names(PEOPLE, lambda p: f"{p[2]}, {p[1]}", lambda p: str(p[4]), lambda p: p[0], lambda p: p[3], lambda p: "A, 2026", lambda p: "", lambda p: "")),
    "moodle": (moodle, [["Identifier", "Full name", "Email address", "ID number", "Username", "Grade"]] +
               names(PEOPLE, lambda p: f"Participant {p[4]}", lambda p: f"{p[1]} {p[2]}", mail, lambda p: p[0], lambda p: p[3], lambda p: "")),
    "gradescope": (gradescope, [["Name", "SID", "Email", "Role"]] + names(PEOPLE, lambda p: f"{p[1]} {p[2]}", lambda p: p[0], mail, lambda p: "Student")),
    "blackboard": (blackboard, [["Last Name", "First Name", "Username", "Student ID", "03-grid-stride [Total Pts: 10 Score] |813"]] +
                   names(PEOPLE, lambda p: p[2], lambda p: p[1], lambda p: p[3], lambda p: p[0], lambda p: "")),
    "brightspace": (brightspace, [["OrgDefinedId", "Username", "Last Name", "First Name", "Email", "End-of-Line Indicator"]] +
                    names(PEOPLE, lambda p: p[0], lambda p: p[3], lambda p: p[2], lambda p: p[1], mail, lambda p: "#")),
    "sakai": (sakai, [["Student ID", "Student Name", "# Cumulative"]] + names(PEOPLE, lambda p: p[0], lambda p: f"{p[2]}, {p[1]}", lambda p: "")),
    "github": (None, [["identifier", "github_username", "github_id", "name"]] +
               names(PEOPLE, lambda p: p[0], lambda p: p[3], lambda p: "", lambda p: f"{p[1]} {p[2]}")),
}
# What is no UTF-8 with commas.
TABLES = {"canvas": ("utf-8-sig", ","), "moodle": ("utf-8", ";"), "blackboard": ("utf-16", "\t")}


def main(folder):
    late = datetime.datetime(2027, 1, 1, tzinfo=UTC).timestamp()
    for number, lesson in enumerate(LESSONS):
        for person, text, _ in handed(number):
            if person == STRANGER:
                continue
            path = os.path.join(folder, "first", person[0], lesson + ".cu")
            os.makedirs(os.path.dirname(path), exist_ok=True)
            with open(path, "w", encoding="utf-8") as file:
                file.write(text)
            os.utime(path, (late, late))
    github(os.path.join(folder, "github"))
    for system, (layout, roster) in SYSTEMS.items():
        for number in range(len(LESSONS) if layout else 0):
            pack(os.path.join(folder, system, f"download {number}.zip"), layout(number))
        encoding, separator = TABLES.get(system, ("utf-8", ","))
        with open(os.path.join(folder, system + ".csv"), "w", encoding=encoding, newline="") as file:
            csv.writer(file, delimiter=separator).writerows(roster)


main(sys.argv[1])
