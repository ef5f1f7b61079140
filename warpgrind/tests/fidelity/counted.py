"""The counters of each kernel as lines: counted.py METRICS FILE, where FILE is what ncu --csv --page raw printed, or warpgrind's report."""
import csv
import json
import sys


def rows_of_card(names, lines):
    """ncu prints its own words first, then a heading, a row of units, and a row for each kernel."""
    start = next(i for i, line in enumerate(lines) if line.startswith('"ID"'))
    for row in list(csv.DictReader(lines[start:]))[1:]:
        yield row["Kernel Name"].split("(")[0], {ours: int(float(row[theirs].replace(",", ""))) for theirs, ours in names}


def rows_of_report(names, report):
    for launch in report["launches"]:
        yield launch["kernel"].split("(")[0], {ours: launch["counters"].get(ours, 0) for _, ours in names}


def main():
    names = [line.rstrip("\n").split("\t") for line in open(sys.argv[1], encoding="utf-8")]
    text = open(sys.argv[2], encoding="utf-8").read()
    rows = rows_of_report(names, json.loads(text)) if text.startswith("{") else rows_of_card(names, text.splitlines())
    for kernel, values in rows:
        print(f"counters\t{kernel}\t" + " ".join(f"{name}={value}" for name, value in values.items() if value))


if __name__ == "__main__":
    main()
