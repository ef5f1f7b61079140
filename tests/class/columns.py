#!/usr/bin/env python3
"""columns.py NAME... <FILE.csv: just these columns of a CSV file, in this order."""
import csv
import sys

writer = csv.writer(sys.stdout, lineterminator="\n")
writer.writerow(sys.argv[1:])
for row in csv.DictReader(sys.stdin):
    writer.writerow([row[name] for name in sys.argv[1:]])
