#!/usr/bin/env python3
"""Reads what export_samples wrote, with a reader of each format's own kind: exports_check.py FOLDER FORMAT READER SCOPE
READER is STUDENTS, SYSTEM or STAFF and SCOPE is ONE, STUDENT or CLASS, as exports.def says. Prints a line for each problem; none is good news."""
import csv
import glob
import html.parser
import io
import json
import os
import re
import subprocess
import sys

import jsonschema

HERE = os.path.dirname(os.path.abspath(__file__))
FOLDER, FORMAT, READER, SCOPE = sys.argv[1:5]
problems = []
LESSONS = ["01-vector-add", "07-block-sum-dynamic", "08-block-sum-static", "10-any-block-size"]
STUDENTS = 28


def problem(name, text):
    problems.append(f"{name}: {text}")


def expect(name, got, wanted, what):
    if got != wanted:
        problem(name, f"{what} is {got!r}, expected {wanted!r}")


# ---- what holds for every file

DECEPTIVE = re.compile("[\u061c\u180e\u200b-\u200f\u2028-\u202e\u2060-\u206f\ufeff\ufff9-\ufffb\ufffe\uffff\U000e0000-\U000e007f\ud800-\udfff]")
CONTROL = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f]")


def harmless(name, text, what):
    for pattern, kind in ((DECEPTIVE, "deceptive"), (CONTROL, "control")):
        found = pattern.search(text)
        if found:
            problem(name, f"a {kind} character {found.group()!r} in {what}")


def strings(value):
    if isinstance(value, str):
        yield value
    elif isinstance(value, list):
        for entry in value:
            yield from strings(entry)
    elif isinstance(value, dict):
        for key, entry in value.items():
            yield key
            yield from strings(entry)


def schema_errors(name, schema, document):
    path = os.path.join(HERE, "..", "..", "docs", schema) if schema == "class.schema.json" else os.path.join(HERE, "exports", schema)
    with open(path, encoding="utf-8") as file:
        loaded = json.load(file)
    jsonschema.Draft202012Validator.check_schema(loaded)
    for error in jsonschema.Draft202012Validator(loaded).iter_errors(document):
        problem(name, "/".join(map(str, error.absolute_path)) + " " + error.message[:200])
        return


def no_constant(word):
    raise ValueError(f"{word} is no JSON")


def load(name, text):
    document = json.loads(text, parse_constant=no_constant)
    for string in strings(document):
        harmless(name, string, "a JSON string")
    return document


def kind_of(name):
    """closed, open or discreet; the row of the student, which decides what the third grade is."""
    for kind in ("open", "discreet"):
        if name.startswith(kind + "-"):
            return kind
    return "closed"


def wanted_points(name):
    # 2 failed, 7.5 late, then 4.125 by hand for every second student or 0 for a refused file, and nothing handed in
    return 13.625 if NAMES.index(re.sub("^(open|discreet)-", "", name)) % 2 else 9.5


def hidden_rules(name, text):
    """Students learn the concept of a hidden case, or not even that; everybody else's business stays secret."""
    if "SECRET" in text or "12345" in text or "98765" in text or "424242" in text:
        problem(name, "something hidden: " + re.search("SECRET[-A-Z]*|12345|98765|424242", text).group())
    if SCOPE != "CLASS":
        expect(name, "CONCEPT" in text, kind_of(name) != "discreet", "whether the concept is told")


# ---- formats for one student

def gradescope(name, text):
    document = load(name, text)
    schema_errors(name, "gradescope.schema.json", document)
    if name != "long":
        expect(name, document["score"], wanted_points(name), "score")
        expect(name, sum(test["score"] for test in document["tests"]), 12, "the sum of the tests")
        expect(name, sum(test["max_score"] for test in document["tests"]), 40, "the most that the tests give")
    expect(name, [test["tags"] for test in document["tests"]].count(["hidden"]), 1, "number of hidden cases")


def prairielearn(name, text):
    document = load(name, text)
    schema_errors(name, "prairielearn.schema.json", document)
    if len(text.encode()) > 1_000_000:
        problem(name, "larger than 1 MB")
    if name != "long":
        gradable = kind_of(name) != "open" and wanted_points(name) > 10
        expect(name, document["gradable"], gradable, "gradable")
        if gradable:
            expect(name, document["score"], round(13.625 / 40, 4), "score")


def classroom50(name, text):
    document = load(name, text)
    schema_errors(name, "classroom50.schema.json", document)
    if name != "long":
        expect(name, document["score"], 14 if wanted_points(name) > 10 else 10, "score")


def autolab(name, text):
    lines = text.splitlines()
    documents = [load(name, line) for line in lines]
    schema_errors(name, "autolab.schema.json", documents)
    scores = documents[-1]["scores"]
    if name != "long":
        expect(name, list(scores), LESSONS, "the problems")
        expect(name, documents[-1]["scoreboard"], [wanted_points(name)], "the scoreboard")
        expect(name, round(sum(scores.values()), 4), wanted_points(name), "the sum")


def check50(name, text):
    document = load(name, text)
    schema_errors(name, "check50.schema.json", document)
    if "results" not in document:
        problem(name, "no results")
        return
    results = document["results"]
    expect(name, len({result["name"] for result in results}), len(results), "number of different names")
    expect(name, [result["passed"] for result in results], [True, False, None, False, False, False], "passed")


def junit(name, text):
    import xml.etree.ElementTree as tree
    with open(os.path.join(FOLDER, name + ".junit"), encoding="utf-8") as file:
        done = subprocess.run(["xmllint", "--noout", "--nonet", "--schema", os.path.join(HERE, "exports", "junit.xsd"), file.name],
                              capture_output=True, text=True, check=False)
    if done.returncode:
        problem(name, done.stderr[:300])
        return
    root = tree.fromstring(text)
    for node in root.iter():
        for value in list(node.attrib.values()) + [node.text or ""]:
            harmless(name, value, "XML")
    cases = list(root.iter("testcase"))
    expect(name, int(root.get("tests")), len(cases), "tests")
    for kind, count in (("failure", "failures"), ("error", "errors"), ("skipped", "skipped")):
        expect(name, int(root.get(count)), len(list(root.iter(kind))), count)
        for suite in root.iter("testsuite"):
            expect(name, int(suite.get(count)), len(list(suite.iter(kind))), count + " of a suite")
    if name != "long":
        expect(name, [suite.get("name") for suite in root.iter("testsuite")], LESSONS, "the suites")
        expect(name, int(root.get("errors")), 1 if kind_of(name) == "open" else 0, "errors")
        expect(name, int(root.get("skipped")), 1, "skipped")


def github_command(line):
    """As the runner reads a line: ::command key=value,key=value::data"""
    match = re.fullmatch(r"::([a-z-]+)(?: ([^:]*(?::(?!:)[^:]*)*?))?::(.*)", line, re.S)
    if not match:
        return None
    def decode(text, characters):
        for character in characters:
            text = text.replace("%%%02X" % ord(character), character)
        return text.replace("%25", "%")
    properties = {}
    for pair in filter(None, (match.group(2) or "").split(",")):
        key, _, value = pair.partition("=")
        properties[key] = decode(value, "\r\n:,")
    return match.group(1), properties, decode(match.group(3), "\r\n")


def github(name, text):
    lines = text.split("\n")
    expect(name, lines.pop(), "", "the end")
    commands = [github_command(line) for line in lines]
    for line, command in zip(lines, commands):
        if command is None or command[0] not in ("error", "warning", "notice") or set(command[1]) - {"file", "line", "endLine", "title"}:
            problem(name, f"not an annotation: {line[:100]!r}")
            return
        harmless(name, line, "a line")
    if sum(command[0] == "error" for command in commands) > 10 or sum(command[0] == "notice" for command in commands) > 10:
        problem(name, "more annotations than a step may make")
    points = 2 if name == "long" else wanted_points(name)
    wanted = {"totalPoints": points, "maxPoints": 10 if name == "long" else 40}
    expect(name, json.loads(commands[-1][2]), wanted, "the report")
    expect(name, commands[-1][1]["title"], "Autograding report", "the last title")
    # A finding without a file has no line, nor has a hidden case's.
    for title, line in ("shared-race", None if name.endswith("empty") else "14"), ("out-of-bounds", None):
        expect(name, [command[1].get("line") for command in commands if command[1].get("title") == title][-1:], [line], "the line of " + title)


def markdown(name, text):
    """By pandoc, as GitHub's Markdown: tables of plain text, and nothing else."""
    done = subprocess.run(["pandoc", "-f", "gfm", "-t", "json"], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        problem(name, done.stderr[:200])
        return
    document = json.loads(done.stdout)
    tables = sum(block["t"] == "Table" for block in document["blocks"])
    expect(name, tables, 1 if name == "long" else 4, "number of tables")
    def walk(value):
        if isinstance(value, list):
            for entry in value:
                walk(entry)
        elif isinstance(value, dict):
            kind = value.get("t")
            if kind in ("Link", "Image", "Code", "CodeBlock", "Emph", "Strong", "Strikeout", "RawBlock", "Cite", "Math"):
                problem(name, "markup: " + json.dumps(value)[:100])
            if kind == "RawInline" and value["c"][1] != "<br>":
                problem(name, "HTML: " + json.dumps(value)[:100])
            if kind == "Table":
                for row in value["c"][4][0][3]:
                    expect(name, len(row[1]), 4, "cells of a row")
            walk(value.get("c"))
    walk(document["blocks"])
    for line in text.splitlines():
        if line.startswith("| ") and len(re.findall(r"(?<!\\)\|", line)) != 5:
            problem(name, "a cell that becomes two: " + line[:80])
    if re.search("@everyone|#1 ", text):
        problem(name, "it would notify people")


def sarif(name, text):
    document = load(name, text)
    schema_errors(name, "sarif.schema.json", document)
    run = document["runs"][0]
    for result in run["results"]:
        expect(name, run["tool"]["driver"]["rules"][result["ruleIndex"]]["id"], result["ruleId"], "the rule")
    expect(name, [result["ruleId"] for result in run["results"]][:2], ["shared-race", "out-of-bounds"], "the rules")
    if name not in ("empty", "open-empty", "discreet-empty"):  # whose file has no name
        places = [(key, place["physicalLocation"]["region"]["startLine"]) for key in ("locations", "relatedLocations")
                  for place in run["results"][0][key]]
        expect(name, places, [("locations", 14), ("relatedLocations", 15)], "the places")


# What a finding names, in the words of a text with single blanks.
QUOTED = '14 | "line 14" <b onclick=x>&amp; \\x1B[31m'


def quotes(name, words):
    if not name.startswith(("open-", "long")) and QUOTED not in words:
        problem(name, "the line that a finding names is not quoted")


def words(name, text):
    harmless(name, text, "the text")
    quotes(name, " ".join(text.split()))
    if name != "long":
        expect(name, [lesson for lesson in LESSONS if lesson not in text], [], "lessons that are missing")


class Page(html.parser.HTMLParser):
    """A page of ours has these elements and attributes, each closed, and nothing that runs or is fetched."""
    ELEMENTS = {"html", "head", "meta", "title", "style", "body", "main", "h1", "h2", "h3", "p", "div", "span", "a",
                "table", "thead", "tbody", "tr", "th", "td", "pre"}
    ATTRIBUTES = {"lang", "charset", "name", "content", "http-equiv", "class", "id", "href", "scope", "style", "role", "aria-label"}

    # What can be scrolled by keyboard.
    SCROLLED = {("pre", "tabindex", "0"), ("pre", "role", "group"), ("pre", "aria-label", "Your lines")}

    def __init__(self, name, text):
        super().__init__()
        self.name, self.open, self.words = name, [], []
        self.feed(text)
        self.close()
        expect(name, self.open, [], "elements that stay open")

    def handle_starttag(self, tag, attributes):
        if tag not in self.ELEMENTS:
            problem(self.name, f"an element <{tag}>")
        for key, value in attributes:
            if (tag, key, value) in self.SCROLLED:
                continue
            if key not in self.ATTRIBUTES or (key == "href" and not re.fullmatch("#lesson-[0-9]+", value)) or (
                    key == "style" and not re.fullmatch("(width|height): [0-9]{1,3}%", value)) or (
                    key == "role" and value != "img"):
                problem(self.name, f"an attribute {key}={value!r:.60}")
        if tag != "meta":
            self.open.append(tag)

    def handle_endtag(self, tag):
        if not self.open or self.open.pop() != tag:
            problem(self.name, f"</{tag}> closes something else")

    def handle_comment(self, data):
        problem(self.name, "a comment")

    def handle_data(self, data):
        if self.open and self.open[-1] != "style":
            self.words.append(data)


def page(name, text):
    harmless(name, text, "the page")
    if "default-src 'none'" not in text:
        problem(name, "no policy against what is not ours")
    return " ".join("".join(Page(name, text).words).split())


def feedback(name, text):
    words = page(name, text)
    if name != "long":
        expect(name, [lesson for lesson in LESSONS if lesson not in words], [], "lessons that are missing")
    quotes(name, words)
    for word in ("shared-race", "line 14", "What was found"):
        if word not in words:
            problem(name, f"not a word of {word}")


def report(name, text):
    words = page(name, text)
    for word in (f"{STUDENTS} students", f"shared-race in {STUDENTS} of {STUDENTS} programs", "Cases that failed", "median", "Cases that nobody passes lessoncaseprograms 01-vector-add", f"kindprograms out-of-bounds{STUDENTS} shared-race{STUDENTS} bank-conflict (a note){STUDENTS}", "Files of no lesson Th"):
        if word not in words:
            problem(name, f"not a word of {word}")


def leaderboard(name, text):
    words = page(name, text)
    for word in ("barriers", "volunteer 0", "rankwhomeasured 1volunteer"):
        if word not in words:
            problem(name, f"not a word of {word}")
    for secret in ("example.org", "login", "Files of no lesson"):
        if secret in words:
            problem(name, f"{secret} is nobody's business")


# ---- formats for the class

FORMULA = tuple("=+-@\t\r＝＋－＠")


def table(name, text):
    """RFC 4180, strictly, with no cell that a spreadsheet would run."""
    rows = list(csv.reader(io.StringIO(text, newline=""), strict=True))
    for row in rows:
        expect(name, len(row), len(rows[0]), "cells of a row")
        for cell in row:
            harmless(name, cell, "a cell")
            number = re.fullmatch(r"-?[0-9]+(\.[0-9]+)?", cell)
            if cell.lstrip(" \"'\n\t").startswith(FORMULA) and not number and not cell.startswith("'") and cell != "-":
                problem(name, f"a formula: {cell[:50]!r}")
            if re.search("[\n\t\";][=+@＝＋－＠-]", cell):
                problem(name, f"a formula in the middle: {cell[:50]!r}")
    if len(rows) != len(text.splitlines()):
        problem(name, "a cell of several lines")
    return rows


def records(name, text):
    rows = table(name, text)
    return [dict(zip(rows[0], row)) for row in rows[1:]]


def times(name, text):
    """One line for each case that ran on a card: the samples ran on none."""
    expect(name, table(name, text), [["student", "lesson", "case", "verdict", "median_us", "least_us", "most_us", "gigabytes_per_second",
                                      "solution_us", "card", "driver", "disturbed", "problem"]], "the header alone")


def plain_csv(name, text):
    rows = records(name, text)
    expect(name, text.split(",")[:5], ["student", "lesson", "verdict", "score", "max_score"], "the first columns")
    expect(name, len(rows), STUDENTS * 4, "number of rows")
    last = "fault" if "open" in name else "nothing"
    expect(name, [row["verdict"] for row in rows[:8]], ["fail", "pass", "refused", last, "fail", "pass", "fault", last], "verdicts")
    expect(name, [row["points"] for row in rows[:8]], ["2", "7.5", "0", "", "2", "7.5", "4.125", ""], "points")


def canvas(name, text):
    """lib/gradebook_importer.rb of Canvas: how it knows the header, the row of points, a student and a score."""
    rows = table(name, text)
    header = rows[0]
    if not (len(header) > 3 and "Student" in header[0] and "ID" in header[1]):
        return problem(name, "Canvas does not know the header")
    columns = 3
    if "SIS Login ID" in header[2]:
        columns += 1
    elif "SIS User ID" in header[2] and "SIS Login ID" in header[3]:
        columns += 2
    if "Section" not in header[columns - 1]:
        return problem(name, "the last column about students is not Section")
    for title in header[columns:]:
        if re.search("(Current|Final|Override) (Score|Points|Grade|Status)", title) or re.search(r"\(\d+\)$", title):
            problem(name, f"a column that is taken for another: {title}")
    expect(name, header[columns:], LESSONS, "the assignments")
    expect(name, rows[1][0].strip(), "Points Possible", "the second row")
    expect(name, rows[1][columns:], 4 * ["10"], "the points possible")
    expect(name, len(rows), STUDENTS + 2, "number of rows")
    expect(name, len({row[2] for row in rows[2:]}), STUDENTS, "number of SIS ids")
    for at, row in enumerate(rows[2:]):
        expect(name, row[1], "", "Canvas's own ID")
        expect(name, row[columns:], ["2", "7.5", "4.125" if at % 2 else "0", ""], "the scores")
        if "read only" in row[0] or "Points Possible" in row[0]:
            problem(name, "a student who is taken for a special row")


def blackboard(name, text):
    """Work offline: a student is known by the user name, and each column is one assignment."""
    rows = records(name, text)
    expect(name, list(rows[0]), ["Last Name", "First Name", "Username", "Student ID"] + LESSONS, "the columns")
    expect(name, len(rows), STUDENTS, "number of rows")
    expect(name, len({row["Username"] for row in rows} - {""}), STUDENTS, "number of user names")
    for at, row in enumerate(rows):
        expect(name, [row[lesson] for lesson in LESSONS][:2] + [row[LESSONS[3]]], ["2", "7.5", ""], "the scores")


def brightspace(name, text):
    """Importing grades: one of two keys, "... Points Grade", and the mark at the end of the line."""
    rows = table(name, text)
    expect(name, rows[0], ["OrgDefinedId", "Username"] + [lesson + " Points Grade" for lesson in LESSONS] + ["End-of-Line Indicator"], "the columns")
    expect(name, len(rows), STUDENTS + 1, "number of rows")
    for at, row in enumerate(rows[1:]):
        expect(name, row[2:], ["2", "7.5", "4.125" if at % 2 else "0", "", "#"], "the scores")
        if not row[0] and not row[1]:
            problem(name, "a line without a key stops the import")


def sakai(name, text):
    """ImportGradesHelper.java: CSVReader's backslash quotes a quote or another one; what a heading means is told by these patterns."""
    unquoted = re.sub(r'\\([\\"])', lambda match: match.group(1) * (1 + (match.group(1) == '"')), text)
    rows = table(name, unquoted)
    expect(name, rows[0][:2], ["Student ID", "Student Name"], "the columns of people")
    expect(name, len(rows), STUDENTS + 1, "number of rows")
    expect(name, len({row[0] for row in rows[1:]} - {""}), STUDENTS, "number of ids")
    items = [re.fullmatch(r"([^\[]+)(\[(\d+([\.,]\d\d?)?)\])", heading) for heading in rows[0][2::2]]
    expect(name, [(item.group(1).strip(), item.group(3)) for item in items], [(lesson, "10") for lesson in LESSONS], "the items")
    expect(name, rows[0][3::2], ["* " + lesson for lesson in LESSONS], "the comments")
    for at, row in enumerate(rows[1:]):
        expect(name, row[2::2], ["2", "7.5", "4.125" if at % 2 else "0", ""], "the scores")
    if not any("refused" in row[7] or "Not graded" in row[7] for row in rows[1:]):
        problem(name, "no comment says why a file was refused")


def moodle(name, text):
    """grade/import/csv/classes/load_data.php of Moodle: a line with an empty key keeps the student of the line before; a value over 100
    or one that is no number stops the import; two columns of a name cannot be told apart."""
    rows = table(name, text)
    header = rows[0]
    expect(name, len(set(header)), len(header), "number of different columns")
    for key in ("username", "idnumber", "email"):
        if key not in header:
            continue
        found = [row[header.index(key)].strip() for row in rows[1:]]
        if "" in found:
            problem(name, f"an empty {key} gives this student's grade to the one before")
        expect(name, len(set(found)), STUDENTS - 1, f"number of different {key}s (one student has no address)")
    expect(name, ["idnumber" in header, "email" in header], [True, True], "columns")
    for lesson in LESSONS:
        column = header.index(lesson)
        expect(name, header[column + 1], lesson + " (feedback)", "the column after")
        for row in rows[1:]:
            value, feedback = row[column], row[column + 1]
            if value != "-" and not 0 <= float(value) <= 100:
                problem(name, f"{value} stops the import")
            if re.search("<|&(?!amp;|lt;|gt;|quot;|#39;)", feedback):
                problem(name, f"markup in the feedback: {feedback[:80]!r}")
    expect(name, [row[header.index(LESSONS[0])] for row in rows[1:]], (STUDENTS - 1) * ["2"], "the first grades")
    expect(name, [row[header.index(LESSONS[3])] for row in rows[1:]], (STUDENTS - 1) * ["-"], "the last grades")


def moodle_rich(name, text):
    """Lessons of 250 points, of which Moodle would take no more than 100: in percent."""
    rows = records(name, text)
    expect(name, LESSONS[0] in rows[0], False, "a column of points")
    expect(name, [rows[0][lesson + " (percent)"] for lesson in LESSONS], ["20", "75", "0", "-"], "percent")


def lti(name, text):
    """Assignment and Grade Services 2.0, 3.4: what a score must have."""
    rows = records(name, text)
    expect(name, len(rows), STUDENTS * 4, "number of rows")
    for row in rows:
        if row["activityProgress"] not in ("Initialized", "Started", "InProgress", "Submitted", "Completed"):
            problem(name, "activityProgress " + row["activityProgress"])
        if row["gradingProgress"] not in ("FullyGraded", "Pending", "PendingManual", "Failed", "NotReady"):
            problem(name, "gradingProgress " + row["gradingProgress"])
        if not re.fullmatch(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ", row["timestamp"]):
            problem(name, "timestamp " + row["timestamp"])
        if row["scoreGiven"] and not (float(row["scoreGiven"]) >= 0 and float(row["scoreMaximum"]) > 0):
            problem(name, "a score without a maximum")
        if (row["scoreGiven"] != "") != (row["gradingProgress"] == "FullyGraded"):
            problem(name, f"{row['gradingProgress']} with the score {row['scoreGiven']!r}")
    expect(name, rows[3]["gradingProgress"], "PendingManual" if "open" in name else "NotReady", "progress of the last lesson")


def mail(name, text):
    """A letter for everybody with an address, each in one cell that keeps its lines."""
    rows = list(csv.DictReader(io.StringIO(text, newline=""), strict=True))
    if not rows or len(rows) > STUDENTS:
        problem(name, f"{len(rows)} letters for {STUDENTS} students")
    for row in rows:
        if not row["email"] or not row["feedback"]:
            problem(name, "a letter to nobody, or with nothing in it")
        if re.match(r"[\s\"']*[=+@-]", row["feedback"].lstrip("'")) and not row["feedback"].startswith("'"):
            problem(name, "a letter that begins a formula")
        float(row["points"]), float(row["max_points"])
    if not any("\n" in row["feedback"] for row in rows):
        problem(name, "letters have lost their lines")


def upload(name, text):
    """apps/prairielearn/src/lib/score-upload.ts of PrairieLearn: known columns, numbers, lines of at most 10,000 characters."""
    rows = records(name, text)
    expect(name, list(rows[0]), ["uid", "instance", "qid", "score_perc", "feedback"], "columns")
    expect(name, len(rows), STUDENTS * 3, "number of rows")
    expect(name, [float(row["score_perc"]) for row in rows[:6]], [20, 75, 0, 20, 75, 41.25], "scores")
    expect(name, {row["qid"] for row in rows}, set(LESSONS[:3]), "questions")
    expect(name, {row["instance"] for row in rows}, {"1"}, "instances")
    if any(len(line) > 10000 for line in text.splitlines()):
        problem(name, "a line that is too long")
    if any(row["uid"] == "" for row in rows):
        problem(name, "a line without a person")


def class_json(name, text):
    document = load(name, text)
    schema_errors(name, "class.schema.json", document)
    expect(name, len(document["students"]), STUDENTS, "number of students")
    grades = document["students"][1]["grades"]
    expect(name, [grade.get("points") for grade in grades], [2, 7.5, 4.125, None], "points")
    expect(name, document["students"][0]["grades"][0]["result"]["seed"], 424242, "what staff may see")


READERS = {"gradescope": gradescope, "prairielearn": prairielearn, "classroom50": classroom50, "autolab": autolab, "check50": check50,
           "junit": junit, "github": github, "markdown": markdown, "sarif": sarif, "text": words,
           "feedback": feedback, "report": report, "leaderboard": leaderboard,
           "canvas": canvas, "blackboard": blackboard, "brightspace": brightspace, "sakai": sakai, "mail": mail, "moodle": moodle, "lti": lti, "prairielearn-upload": upload, "csv": plain_csv, "times": times, "json": class_json}
# These know no "undecided": an open class is refused, with a remedy, so that a fault of the grader is nobody's zero.
REFUSES_OPEN = ("gradescope", "classroom50", "autolab")
# Limits how much of what pandoc reads, which starts once for each file.
SAMPLED = {"markdown": ("closed",)}

said = sorted(glob.glob(os.path.join(glob.escape(FOLDER), f"*.{FORMAT}.said")))
NAMES = [line.strip() for line in open(os.path.join(FOLDER, "names"), encoding="utf-8")]
if FORMAT not in READERS:
    problem(FORMAT, "no reader")
elif len(said) != (3 if SCOPE == "CLASS" else 3 * STUDENTS + 1):
    problem(FORMAT, f"{len(said)} samples")
else:
    for path in said:
        name = os.path.basename(path)[: -len(f".{FORMAT}.said")]
        message = open(path, encoding="utf-8").read()
        harmless(name, message, "a diagnostic")
        refused = message.endswith("refused\n")
        expect(name, refused, kind_of(name) == "open" and FORMAT in REFUSES_OPEN, "whether it is refused")
        if refused:
            if "nobody gets a zero" not in message:
                problem(name, "refused without a remedy")
            continue
        try:
            text = open(path[: -len(".said")], "rb").read().decode("utf-8", "strict")
            if READER == "STUDENTS":
                hidden_rules(name, text)
            if name == "rich-class":  # the same but for its points, which matter to Moodle alone
                if FORMAT == "moodle":
                    moodle_rich(name, text)
            elif kind_of(name) in SAMPLED.get(FORMAT, (kind_of(name),)):
                READERS[FORMAT](name, text)
        except (ValueError, KeyError, IndexError, csv.Error) as error:
            problem(name, f"cannot be read: {type(error).__name__} {error}")
for line in problems[:5]:
    print(line)
