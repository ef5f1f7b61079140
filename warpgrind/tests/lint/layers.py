#!/usr/bin/env python3
"""Layers point one way: proves the table in PAGE, whose last column names the folders that each folder may use.

    layers.py PAGE includes            from the #include lines
    layers.py PAGE calls OBJECTS...    from the symbols of the objects in these folders: who uses what, whatever has been included; and that no
                                       more than KNOT files need each other in a circle

A room is a row of a table; a file belongs to the row with the longest folder that it lies in. Rooms inside of a room are its own matter:
who may use it may call what they define, and include none of their headers. A room with a makefile of its own has a table of
its own, too, and its files are not looked at here. Prints each arrow that points back, and exits 1
when there is one, or when there is nothing to look at.
"""
import glob
import os
import re
import subprocess
import sys

TABLE = sys.argv[1] if len(sys.argv) > 1 else sys.exit(__doc__)
KNOT = 8
# What no library of ours is made of.
NO_LIBRARY = ("include/", "bench/")
HEAD = "| folder | makes | may use |"
# A word of the last column that stands for several, in a sentence above the table.
SHORT = r"^In the last column, `([a-z]+)` stands for: (.*)\.$"


def read_rooms():
    """The rows of all tables of the page: folder -> the folders it may use. "alu" in the last column means the row gpu/alu/."""
    page = open(TABLE, encoding="utf-8").read()
    tables = (table.split("\n\n")[0] for table in page.split(HEAD)[1:])
    short, words = dict(re.findall(SHORT, page, re.M)), {}
    for row in (row for table in tables for row in table.splitlines()[2:]):
        folders, _, used = (cell.strip() for cell in row.strip()[1:-1].split("|"))
        for folder in re.findall(r"`([a-zA-Z0-9_/-]+)/`", folders):
            written = (short.get(word, word) for word in re.findall(r"[a-z0-9_/]+", used))
            words[folder.replace("/NN-name", "")] = re.findall(r"[a-z0-9_/]+", " ".join(written))
    meant = {(row, word): find_row(words, row, word) for row, used in words.items() for word in used}
    unknown = {word for (_, word), rooms in meant.items() if len(rooms) != 1}
    if unknown:
        sys.exit(f"{TABLE}: no row, or several, for {', '.join(sorted(unknown))}")
    return {row: {meant[row, word][0] for word in used} for row, used in words.items()}


def find_row(rooms, row, word):
    """The rows that a word in the last column of a row may mean: that folder, or one beside the row's own, or else any of that name."""
    beside = os.path.join(os.path.dirname(row), word)
    return [room for room in (word, beside) if room in rooms][:1] or [room for room in rooms if room.endswith("/" + word)]


ROOMS = read_rooms()


def room_of(path):
    return max((room for room in ROOMS if path.startswith(room + "/")), key=len, default=None)


def is_back(here, there):
    return here is not None and there is not None and there != here and there not in ROOMS[here]


def seen_from(here, room):
    """Where the functions of a room are for a caller: whoever is outside of the row's folder that the room lies in sees only that."""
    around = max((r for r in ROOMS if room is not None and room.startswith(r + "/")), key=len, default=None)
    return room if around is None or here is None or (here + "/").startswith(around + "/") else around


def sources():
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "*.[ch]"], capture_output=True, text=True, check=True).stdout
    paths = (p for p in listed.split("\n") if room_of(p) and os.path.exists(p))
    return [p for p in paths if not p.startswith(NO_LIBRARY) and not os.path.exists(room_of(p) + "/Makefile")]


def conclude(what, count, back):
    for line in sorted(back):
        print(line)
    if count == 0:
        sys.exit(f"{what}: found nothing to look at")
    if back:
        sys.exit(1)
    print(f"{what}: {count} arrows, all point down")


def check_includes():
    count, back = 0, set()
    for path in sources():
        for name in re.findall(r'^ *# *include "(.*/.*)"', open(path, encoding="utf-8").read(), re.M):
            made_of = re.sub(r"texts\.(h|inc)$", "texts.txt", name)
            header = next((p for p in (name, "warpgrind/" + name, made_of) if os.path.exists(p)), None)
            count += 1
            if header is None:
                back.add(f"{path}: there is no {name}")
            elif is_back(room_of(path), room_of(header)):
                back.add(f"{path}: {room_of(path)} must not include {header}")
    conclude("layers", count, back)


def find_objects(folders):
    """Source -> its object: the first of several. A source stands first in the list of what its object depends on."""
    objects = {}
    for listed in sorted(d for folder in folders for d in glob.glob(folder + "/**/*.d", recursive=True)):
        source = os.path.normpath(re.split(r":\s+(?:\\\s+)?", open(listed, encoding="utf-8").read(), maxsplit=1)[1].split()[0])
        if os.path.exists(source) and os.path.exists(listed[:-2] + ".o"):
            objects.setdefault(source, listed[:-2] + ".o")
    missing = [p for p in sources() if p.endswith(".c") and p not in objects]
    if missing:
        sys.exit(f"calls: {missing[0]} has not been built, nor have {len(missing) - 1} more: make all")
    return objects


def read_symbols(objects):
    """Source -> the symbols that its object defines, and those that it asks for."""
    said = subprocess.run(["nm", "-A", "-g", "-P", *objects.values()], capture_output=True, text=True, check=True).stdout
    symbols, source_of = {source: (set(), set()) for source in objects}, {path: source for source, path in objects.items()}
    for line in said.splitlines():
        path, symbol, kind = line.split()[:3]
        symbols[source_of[path.rstrip(":")]][kind in "Uw"].add(symbol)
    return symbols


def reach(start, arrows):
    """The files that the file needs, and those that these need."""
    seen, ahead = set(), [start]
    while ahead:
        new = arrows[ahead.pop()] - seen
        seen |= new
        ahead += new
    return seen


def find_knots(symbols, homes):
    """A line for each knot that is too large. A function of several programs is the caller's own room's, or nobody's; tests, which stand in for
    functions of the system, are in no room."""
    arrows = {source: set() for source in symbols if room_of(source)}
    for source in arrows:
        for there in (homes[symbol] for symbol in symbols[source][1] & homes.keys() if None not in homes[symbol]):
            if len(there) == 1 or room_of(source) in there:
                arrows[source].add(there.get(room_of(source)) or next(iter(there.values())))
    needs = {source: reach(source, arrows) for source in arrows}
    knots = {frozenset(other for other in needs[source] if source in needs[other]) for source in arrows}
    return [f"{min(knot)}: {len(knot)} files need each other, {KNOT} may: {' '.join(sorted(knot))}" for knot in knots if len(knot) > KNOT]


def check_calls(folders):
    symbols = read_symbols(find_objects(folders))
    homes = {}
    for source, (defined, _) in symbols.items():
        for symbol in defined - {"main"}:
            homes.setdefault(symbol, {})[room_of(source)] = source
    count, back = 0, set(find_knots(symbols, homes))
    for source, (_, wanted) in symbols.items():
        here = room_of(source)
        for symbol in wanted & homes.keys():
            there = homes[symbol]
            count += 1
            if all(is_back(here, seen_from(here, room)) for room in there):
                back.add(f"{source}: {here} must not use {symbol} of {', '.join(there.values())}")
    conclude("calls", count, back)


if sys.argv[2:] == ["includes"]:
    check_includes()
elif len(sys.argv) > 3 and sys.argv[2] == "calls":
    check_calls(sys.argv[3:])
else:
    sys.exit(__doc__)
