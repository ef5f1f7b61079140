"""The card's lines beside warpgrind's: compare.py CARD OURS DIFFERENCES writes the page docs/fidelity.md to standard output, and what is wrong
to standard error: a difference that DIFFERENCES does not explain, an explanation that nothing needs any more, a line that is missing."""
import collections
import re
import struct
import sys

TITLES = {
    "bits": "PTX instructions, bit by bit, on 16 sets of operands",
    "maths": "Mathematical functions of device code, on 40 arguments",
    "errors": "Return values of wrong calls, and what cudaGetLastError gives afterwards",
    "counters": "Counters of patterns of access, 4 blocks of 128 threads",
}


def read(path):
    lines = [line.rstrip("\n") for line in open(path, encoding="utf-8")]
    rows = [line.split("\t") for line in lines if not line.startswith("#")]
    return next((line[2:] for line in lines if line.startswith("#")), ""), {(row[0], row[1]): row[2] for row in rows}


def order(bits, double):
    """A floating-point number as an integer that counts in units of the last place; None for NaN."""
    top, exponent = (63, 0x7FF << 52) if double else (31, 0xFF << 23)
    size = bits & ((1 << top) - 1)
    if size > exponent:
        return None
    return -size if bits >> top else size


def distance(name, card, ours):
    """The greatest difference in units of the last place, or "NaN" where only the bits of NaNs differ, or "value"."""
    double = card.startswith("d ") or ".f64" in name
    worst = 0
    for a, b in zip(card.split(), ours.split()):
        if a == b:
            continue
        a, b = order(int(a, 16), double), order(int(b, 16), double)
        if a is None and b is None:
            continue
        if a is None or b is None:
            return "value"
        worst = max(worst, abs(a - b))
    return worst or "NaN"


def explanations(path):
    """SECTION PATTERN | what may differ: NaN, value, or a number of units | why"""
    for line in open(path, encoding="utf-8"):
        if line.strip() and not line.startswith("#"):
            where, bound, why = (part.strip() for part in line.split(" | ", 2))
            yield re.compile(where.replace(" ", "\t", 1)), bound, why


def allowed(bound, found):
    if bound == "value":
        return True
    return found == "NaN" if bound == "NaN" else found == "NaN" or isinstance(found, int) and found <= int(bound)


def differences(card, ours, notes, problems):
    """For each explanation the names that it explains."""
    explained = collections.defaultdict(list)
    for key in card:
        if key not in ours:
            problems.append(f"{key[0]} {key[1]}: warpgrind printed no line")
        elif card[key] != ours[key]:
            found = distance(key[1], card[key], ours[key]) if key[0] in ("bits", "maths") else "value"
            note = next((n for n in notes if n[0].fullmatch("\t".join(key)) and allowed(n[1], found)), None)
            if note is None:
                problems.append(f"{key[0]} {key[1]} ({found}): card {card[key]}; warpgrind {ours[key]}")
            explained[note].append((key, found))
    problems += [f"{n[0].pattern}: explains nothing any more" for n in notes if n not in explained]
    return explained


def page(title, card, explained):
    print("# Beside a card\n")
    print("The programs of `tests/fidelity` ran on a card and on warpgrind, and their results were compared as text. `make fidelity` writes this")
    print(f"page anew; `tests/fidelity/card.sh` makes the card's half where there is one. The card: {title}.\n")
    print("| what | compared | the same | explained below |\n|---|---|---|---|")
    for section, words in TITLES.items():
        total = sum(key[0] == section for key in card)
        other = sum(key[0] == section for names in explained.values() for key, _ in names)
        print(f"| {words} | {total} | {total - other} | {other} |")
    print("\n## What differs, and why\n")
    for note, names in explained.items():
        if note is None:
            continue
        units = [found for _, found in names if isinstance(found, int)]
        most = f" At most {max(units)} unit{'s' * (max(units) > 1)} in the last place here." if units and note[1] != "value" else ""
        print(f"* {note[2]}{most}\n  ({', '.join(f'`{key[1]}`' for key, _ in names)})")


def main():
    title, card = read(sys.argv[1])
    _, ours = read(sys.argv[2])
    problems = []
    explained = differences(card, ours, list(explanations(sys.argv[3])), problems)
    page(title, card, explained)
    print("\n".join(problems), end="\n" if problems else "", file=sys.stderr)
    return 1 if problems or not card else 0


if __name__ == "__main__":
    sys.exit(main())
