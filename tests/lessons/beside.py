"""The lessons' programs on a card and on warpgrind: beside.py OURS DIFFERENCES CARD... writes the page docs/fidelity.md to standard output. OURS and each
CARD are tables of tests/lessons/card.sh; what one card could not run is taken from the next. DIFFERENCES says why verdicts differ; what is in one table alone, and what is not explained or needs no
explanation any more, goes to standard error and ends in status 1."""
import collections
import re
import sys

Row = collections.namedtuple("Row", "bits said errors")
GROUPS = ("right ways", "mutants without an error", "mutants with errors")
SAME, ANOTHER, CUT_SHORT = ENDS = ("the same verdict", "another verdict", "stopped on the card")


def read(path):
    lines = [line.rstrip("\n") for line in open(path, encoding="utf-8")]
    rows = {}
    for line in lines[1:]:
        cells = line.split("\t") + ["", "", ""]
        rows[cells[0], cells[1]] = Row(cells[2], cells[3].strip(), int(cells[4] or 0))
    return lines[0].lstrip("# "), rows


def read_cards(paths):
    """The rows of all cards that ran, and which card is meant by them."""
    title, rows = "", {}
    for path in paths:
        name, more = read(path)
        ran = {key: row for key, row in more.items() if not row.said.startswith("not run") and key not in rows}
        lessons = ", ".join(sorted({key[0][:2] for key in ran}))
        title += f"; for lesson {lessons} {name}" if title else name
        rows.update(ran)
    return title, rows


def group_of(name, row):
    if not name.startswith("mutants"):
        return GROUPS[0]
    return GROUPS[2] if row.errors else GROUPS[1]


def end_of(card, ours):
    if card.said.startswith("exit status 124"):
        return CUT_SHORT
    return SAME if (card.said == "right") == (ours.said == "right") else ANOTHER


def table(heading, rows):
    print("| " + " | ".join(heading) + " |")
    print("|---" * len(heading) + "|")
    for row in rows:
        print("| " + " | ".join(str(cell) for cell in row) + " |")


def plain(name):
    return re.sub("^(mutants|alternatives)-", "", name)


def summary(ends):
    """With a column of equal bits where the card's table has any: "-" stands for answers whose bits nobody kept."""
    has_bits = any(row.bits != "-" for row in CARD.values())
    rows = []
    for group in GROUPS:
        counts = [len(ends[group, end]) for end in ENDS]
        if has_bits:
            counts.append(sum(CARD[key].bits == OURS[key].bits for end in ENDS for key in ends[group, end]))
        rows.append([group, sum(len(ends[group, end]) for end in ENDS)] + counts)
    table(("", "programs") + ENDS + (("the same bits",) if has_bits else ()), rows)
    if has_bits:
        say_other_bits(ends)


def say_other_bits(ends):
    """The lessons whose right ways leave other bits: a time, a filter's weights or a function's last place."""
    others = collections.Counter(key[0][:2] for key in ends[GROUPS[0], SAME] if CARD[key].bits != OURS[key].bits)
    if others:
        print("\nRight ways with other bits, by lesson: " + ", ".join(f"{lesson} ({count})" for lesson, count in sorted(others.items())) + ".")


def differing(ends, reasons):
    """What has no error and yet another verdict, with the reason; gives back what is wrong with the reasons."""
    keys = [key for group in GROUPS[:2] for key in ends[group, ANOTHER]]
    for lesson, name in keys:
        why = reasons.get((lesson[:2], plain(name)), "")
        print(f"* `{plain(name)}` of lesson {lesson[:2]}. On the card: {CARD[lesson, name].said[:120]}; here: {OURS[lesson, name].said[:120]}. {why[:1].upper()}{why[1:]}.")
    print()
    found = {(lesson[:2], plain(name)) for lesson, name in keys}
    return [f"{key[0]} {key[1]}: not explained" for key in found - set(reasons)] + [f"{key[0]} {key[1]}: needs no explanation" for key in set(reasons) - found]


def reasons_of(path):
    rows = [line.strip().split(" | ", 1) for line in open(path, encoding="utf-8") if line.strip() and not line.startswith("#")]
    return {tuple(where.split(" ", 1)): why for where, why in rows}


def lucky(card, ours):
    """Of each lesson's mutants with errors, those that come out right on the card."""
    lessons = collections.defaultdict(lambda: [0, 0])
    for key, row in ours.items():
        if key in card and group_of(key[1], row) == GROUPS[2]:
            lessons[key[0]][0] += 1
            lessons[key[0]][1] += card[key].said == "right"
    return [(lesson[:2], mutants, right) for lesson, (mutants, right) in sorted(lessons.items())]


def main():
    ran = [key for key in OURS if key in CARD and not (CARD[key].said.startswith("not built") or OURS[key].said.startswith("not built"))]
    not_run = {key[0] for key in OURS} - {key[0] for key in CARD}
    missing = [key for key in OURS if key not in CARD and key[0] not in not_run] + [key for key in CARD if key not in OURS]
    ends = collections.defaultdict(list)
    for key in ran:
        ends[group_of(key[1], OURS[key]), end_of(CARD[key], OURS[key])].append(key)
    print("# The lessons beside a card\n")
    print("Each lesson's solution, its other right ways and its mutants ran on a card and on warpgrind, over all cases of the lesson, and the lesson's judge")
    print("decided by the answers alone. `make fidelity` writes this page anew; `tests/lessons/card.sh run FOLDER` makes the card's half, where there is one. The")
    print(f"card: {TITLE}. What the machine's instructions, functions and errors are like is compared in [Beside a card](../warpgrind/docs/fidelity.md).\n")
    summary(ends)
    print("\n*Errors* are findings of warpgrind's that are errors. A program with one may compute anything, on a card as well as here: its answers say nothing")
    print("of the software GPU. A program was stopped on the card after some seconds, which lesson 13's timing needs. Lesson 18 has two devices here and no ranks, which need an MPI beside the card.\n")
    if not_run:
        print("Not run on a card yet: lesson " + ", ".join(sorted(lesson[:2] for lesson in not_run)) + ".\n")
    print("## What differs without an error\n")
    problems = differing(ends, reasons_of(sys.argv[2])) + [f"{key[0]} {key[1]}: only in one of the tables" for key in missing]
    rows = lucky(CARD, OURS)
    print("## Right by luck\n")
    print(f"Of {sum(row[1] for row in rows)} mutants with errors {sum(row[2] for row in rows)} give the right answers in all cases on this card:\n")
    table(("lesson", "mutants with errors", "right on the card"), rows)
    for problem in problems:
        print(problem, file=sys.stderr)
    return 1 if problems else 0


_, OURS = read(sys.argv[1])
TITLE, CARD = read_cards(sys.argv[3:])
sys.exit(main())
