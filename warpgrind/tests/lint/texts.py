#!/usr/bin/env python3
"""Texts are data (base/texts.awk): proves that code says each text of each texts.txt, or another text of its section names it, and
that code gives each place a value. That a text names no place that is not there is proven when the tables are made."""
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path.cwd()


def files(pattern):
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", pattern], cwd=ROOT, capture_output=True, text=True, check=True)
    return [ROOT / name for name in listed.stdout.split() if (ROOT / name).exists()]


def users(texts):
    """What may say them: their folder, and who includes their header."""
    folder = texts.parent.relative_to(ROOT)
    others = [path for path in files("*.c") if f'#include "{folder}/texts.h"' in path.read_text()]
    return {*files(f"{folder}/*.[ch]"), *others}


def faults(texts):
    code = "".join(path.read_text() for path in users(texts))
    words = set(re.findall(r"\b[A-Z][A-Z_0-9]+\b", code))
    for how, said, name in re.findall(r"\b(SAID|TOLD)_([A-Z_]+)\(\s*([A-Z_0-9]+)", code):
        words |= {f"{said}_{name}"} if how == "TOLD" else {f"{said}_{name}_MESSAGE", f"{said}_{name}_WHY"}
    given = {name for chain in re.findall(r"((?:(?:\.|->)[a-z_0-9]+)+)\s*[+|]?=[^=]", code) for name in re.findall(r"[a-z_0-9]+", chain)}
    section, count = None, 0
    for block in re.split(r"^\[([a-z_]+)\]\n", re.sub(r"^#.*\n", "", texts.read_text(), flags=re.M), flags=re.M):
        if re.fullmatch(r"[a-z_]+", block):
            section = block
            continue
        named = set(re.findall(r"\{([A-Z][A-Z_0-9]*)", block))
        for text in re.findall(r"^([A-Z][A-Z_0-9]*)$", block, flags=re.M):
            count += 1
            if f"{section.upper()}_{text}" not in words and text not in named:
                yield f"nobody says {text} of [{section}]"
        for place in re.findall(r"^  ([a-z][a-z_0-9]*) +[a-z]+$", block, flags=re.M):
            if place not in given:
                yield f"no code sets {place} of [{section}]"
    if count == 0:
        yield "no text found"


tables = files("*/texts.txt")
found = [f"{texts.relative_to(ROOT)}: {fault}" for texts in tables for fault in faults(texts)]
print("\n".join(found) or f"texts: {len(tables)} files, each text said, each place set")
sys.exit(1 if found or not tables else 0)
