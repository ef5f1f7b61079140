#!/usr/bin/env python3
"""Who is told which sentence: a matrix of texts.txt against the programs of a suite.

    sentences.py MATRIX TEXTS REPORTS   compares what the programs were told with the matrix; prints "PASSED" or "FAILED ..." for each program
    sentences.py --all TEXTS MATRIX...  whether each sentence is told to some program, or stands in the file of a test that expects it
    sentences.py --write MATRIX TEXTS REPORTS   writes the matrix anew; what stands in it of files and reasons stays

REPORTS is a folder of reports, NAME@ANYTHING.json (findings) or NAME@ANYTHING.txt (a screen), of all runs of each program. A sentence is a variant of a
text (base/texts.awk); it is known by its longest stretch of words that no other variant of any texts.txt has. A variant without three such words is a part of
sentences, and none. The matrix has for each sentence the programs that are told it. Each of these must be told it in some run, and no other in any:

    [race] WHY: loses_updates
        M73-plain-add M73-plain-add-shared
        in warpgrind/tests/check/test_races.c   a test that expects these words
        never: REASON                   nobody can be made to see it

A program in brackets is told it by some compilers or orders of threads only.
"""
import collections
import json
import pathlib
import re
import sys

ROOT = pathlib.Path(__file__).resolve().parents[2]
LEAST_WORDS = 3


def variants(path):
    """[section, text, condition, words] of each variant."""
    section = text = row = None
    found = []
    for line in path.read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if match := re.fullmatch(r"\[([a-z_]+)\]", line):
            section, text, row = match[1], None, None
        elif re.fullmatch(r"[A-Z][A-Z_0-9]*", line):
            text, row = line, None
        elif text and re.match(r"  [a-z!].*:$", line):
            row = [section, text, line.strip()[:-1], ""]
            found.append(row)
        elif text and line.startswith("    "):
            if row is None:
                row = [section, text, "", ""]
                found.append(row)
            row[3] += (" " if row[3] else "") + line.strip()
    return found


def stretches(words):
    """What stands outside of braces."""
    depth, out = 0, [""]
    for letter in words:
        depth += letter == "{"
        if depth == 0:
            out[-1] += letter
        elif out[-1]:
            out.append("")
        depth -= letter == "}"
    return [stretch.strip() for stretch in out]


def sentences(path):
    """{"[section] TEXT: condition": the stretch by which it is known}"""
    everything = [row for other in ROOT.glob("**/texts.txt") if "build" not in other.relative_to(ROOT).parts for row in variants(other)]
    known = {}
    for section, text, when, words in variants(path):
        own = [stretch for stretch in stretches(words) if len(re.findall(r"\w+", stretch)) >= LEAST_WORDS
               and sum(stretch in row[3] for row in everything) == 1]
        if own:
            known[f"[{section}] {text}" + (f": {when}" if when else "")] = max(own, key=len)
    if not known:
        sys.exit(f"{path} has no sentence")
    return known


def read_matrix(path):
    """{sentence: its lines}"""
    matrix = {}
    for line in path.read_text().splitlines() if path.exists() else []:
        if line.startswith("["):
            lines = matrix.setdefault(line, [])
        elif line.startswith("    "):
            lines.append(line.strip())
    return matrix


def programs(lines):
    return [word for line in lines if not re.match(r"in |never: ", line) for word in line.split()]


def words_of(report):
    if report.suffix == ".txt":
        return re.sub(r"\s+", " ", report.read_text(errors="replace"))
    try:
        result = json.loads(report.read_text())
    except ValueError:
        return ""
    return "\n".join(f"{finding.get('message', '')}\n{finding.get('explanation') or ''}" for finding in result.get("findings", []))


def told_in(folder, known):
    """{program: {sentence: the number of its runs in which it was told}}, and how many runs there were."""
    told, runs = collections.defaultdict(collections.Counter), collections.Counter()
    for report in sorted(folder.iterdir()):
        name, words = report.name.split("@")[0].replace("+", "/"), words_of(report)
        runs[name] += 1
        told[name].update(sentence for sentence, stretch in known.items() if stretch in words)
    return told, runs


def compare(_, matrix, known, folder):
    told, runs = told_in(folder, known)
    sure, perhaps = collections.defaultdict(set), collections.defaultdict(set)
    for sentence, lines in matrix.items():
        for name in programs(lines):
            (perhaps if name.startswith("(") else sure)[name.strip("()")].add(sentence)
    for name in sorted(runs):
        wrong = [f"is told {s}, which the matrix has not" for s in sorted(set(told[name]) - sure[name] - perhaps[name])]
        wrong += [f"is not told {s}" for s in sorted(sure[name] - set(told[name]))]
        print(f"FAILED sentences of {name}: " + "; ".join(wrong) if wrong else "PASSED")


def expects(path, stretch):
    """Whether a test has the words, wherever its lines break: all, or six of them in a row."""
    if not (ROOT / path).is_file():
        return False
    text = re.sub(r"\s+", " ", re.sub(r'"\s*\n\s*"', "", (ROOT / path).read_text()))
    words = stretch.split()
    size = min(len(words), 6)
    return any(" ".join(words[i:i + size]) in text for i in range(len(words) - size + 1))


def complete(matrix, known):
    for sentence in sorted(set(matrix) - set(known)):
        yield f"{sentence}: no such sentence"
    for sentence, stretch in known.items():
        lines = matrix.get(sentence, [])
        files = [line[3:].strip() for line in lines if line.startswith("in ")]
        if not programs(lines) and not files and not any(line.startswith("never: ") for line in lines):
            yield f"{sentence}: told to no program, and no reason why"
        for path in files:
            if not expects(path, stretch):
                yield f"{sentence}: {path} has not its words: {stretch}"


def write(path, matrix, known, folder):
    told, runs = told_in(folder, known)
    out = [line for line in path.read_text().splitlines() if line.startswith("#")] if path.exists() else []
    for sentence in known:
        lines = matrix.get(sentence, [])
        names = {name for name in programs(lines) if name.strip("()") not in runs} | {name for name in told if told[name][sentence]}
        kept = [line for line in lines if re.match(r"in |never: ", line)]
        names = {name for name in names if f"({name})" not in programs(lines)} | {name for name in programs(lines) if name.startswith("(")}
        if not names and not kept:
            continue
        out.append(sentence)
        row = ""
        for name in sorted(names):
            if row and len(row) + len(name) > 140:
                out.append("    " + row)
                row = ""
            row += (" " if row else "") + name
        out += ["    " + line for line in ([row] if row else []) + kept]
    path.write_text("\n".join(out) + "\n")


def main(arguments):
    if arguments[0] == "--all":
        texts, *matrices = map(pathlib.Path, arguments[1:])
        joined = {}
        for path in matrices:
            for sentence, lines in read_matrix(path).items():
                joined.setdefault(sentence, []).extend(lines)
        print("\n".join(f"FAILED {fault}" for fault in complete(joined, sentences(texts))) or "PASSED")
        return
    writes = arguments[0] == "--write"
    matrix, texts, folder = map(pathlib.Path, arguments[writes:])
    (write if writes else compare)(matrix, read_matrix(matrix), sentences(texts), folder)


main(sys.argv[1:])
