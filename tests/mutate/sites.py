"""sites.py - where a C file can be changed in a small way, and how: found by parsing (clang's syntax tree as JSON), not by luck of text.

sites(path, flags, folder) gives Change after Change of the file itself, what macros expand to left out. Each kind of change is a function that
gets a node of the tree and yields (begin, end, new bytes, words).
"""
import collections
import json
import subprocess

Change = collections.namedtuple("Change", "path begin end new words")
EDGES = {b"<": b"<=", b"<=": b"<", b">": b">=", b">=": b">", b"==": b"!=", b"!=": b"==", b"+": b"-", b"-": b"+", b"&": b"|", b"|": b"&"}


class File:
    """The bytes of the file, and which of the tree's places lie in it."""

    def __init__(self, path):
        self.path = path
        with open(path, "rb") as file:
            self.bytes = file.read()

    def span(self, node):
        """(begin, end) of a node as it is written; None for what a macro made."""
        places = node.get("range", {})
        begin, end = places.get("begin", {}), places.get("end", {})
        if "offset" not in begin or "offset" not in end:
            return None
        return begin["offset"], end["offset"] + end["tokLen"]

    def text(self, span):
        return self.bytes[span[0]:span[1]]


def inner(node):
    return [child for child in node.get("inner", []) if child]


def bare(node):
    """Below casts that nobody wrote, and parentheses."""
    while node.get("kind") in ("ImplicitCastExpr", "ParenExpr") and inner(node):
        node = inner(node)[0]
    return node


def turned_condition(file, node):
    place = {"IfStmt": 0, "WhileStmt": 0, "ConditionalOperator": 0}.get(node["kind"])
    if place is None or not inner(node):
        return
    span = file.span(inner(node)[place])
    if span:
        yield span[0], span[1], b"!(" + file.text(span) + b")", "the condition turned"


def other_operator(file, node):
    if node["kind"] != "BinaryOperator" or len(inner(node)) != 2:
        return
    left, right = (file.span(child) for child in inner(node))
    if not left or not right:
        return
    old = node["opcode"].encode()
    at = file.bytes.find(old, left[1], right[0])
    if at >= 0 and old in EDGES:
        yield at, at + len(old), EDGES[old], f"{old.decode()} becomes {EDGES[old].decode()}"
    if old in (b"&&", b"||"):
        yield left[0], right[1], file.text(left), f"what follows {old.decode()} dropped"
        yield left[0], right[1], file.text(right), f"what stands before {old.decode()} dropped"


def other_constant(file, node):
    span = file.span(node) if node["kind"] == "IntegerLiteral" else None
    if span and file.text(span).isdigit():
        new = str(int(file.text(span)) + 1).encode()
        yield span[0], span[1], new, f"{file.text(span).decode()} becomes {new.decode()}"


def dropped_step(file, node):
    """A call or an assignment that stands alone, or a way out: `if (...) return ...;`."""
    if node["kind"] != "CompoundStmt":
        return
    for step in inner(node):
        span = file.span(step)
        if not span:
            continue
        if step["kind"] == "CallExpr" or (step["kind"] == "BinaryOperator" and step.get("opcode") == "="):
            yield span[0], span[1], b"(void)0", "the step dropped"
        if step["kind"] == "IfStmt" and len(inner(step)) == 2 and inner(step)[1]["kind"] == "ReturnStmt":
            yield span[0], span[1], b"(void)0", "the way out dropped"


def swapped_arguments(file, node):
    if node["kind"] != "CallExpr":
        return
    arguments = inner(node)[1:]
    for one, two in zip(arguments, arguments[1:]):
        spans = file.span(one), file.span(two)
        same = bare(one).get("type", {}).get("qualType") == bare(two).get("type", {}).get("qualType")
        if all(spans) and same and file.text(spans[0]) != file.text(spans[1]):
            between = file.bytes[spans[0][1]:spans[1][0]]
            yield spans[0][0], spans[1][1], file.text(spans[1]) + between + file.text(spans[0]), "two arguments swapped"


KINDS = [turned_condition, other_operator, other_constant, dropped_step, swapped_arguments]


def walk(node):
    yield node
    for child in inner(node):
        yield from walk(child)


def functions(tree, path):
    """The functions that the file defines. A place names its file only where that differs from the place before it."""
    current = None
    for declaration in inner(tree):
        place = declaration.get("loc", {})
        for part in (place, place.get("spellingLoc", {}), place.get("expansionLoc", {})):
            current = part.get("file", current)
        body = [child for child in inner(declaration) if child["kind"] == "CompoundStmt"]
        if declaration["kind"] == "FunctionDecl" and body and "includedFrom" not in place and current == path:
            yield body[0]
        for name in last_files(declaration):
            current = name


def last_files(node):
    """The files that places of a declaration name, in the order of the tree."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "file" and isinstance(value, str):
                yield value
            else:
                yield from last_files(value)
    elif isinstance(node, list):
        for value in node:
            yield from last_files(value)


def sites(path, flags, folder="."):
    """All changes of the file, in the order of its text; none where clang cannot read it."""
    ran = subprocess.run(["clang", "-fsyntax-only", "-Xclang", "-ast-dump=json", "-w", *flags, path], cwd=folder, capture_output=True)
    if ran.returncode != 0:
        return []
    file = File(f"{folder}/{path}")
    found = []
    for body in functions(json.loads(ran.stdout), path):
        for node in walk(body):
            for kind in KINDS:
                found += [Change(f"{folder}/{path}".removeprefix("./"), *change) for change in kind(file, node)]
    return sorted(set(found))
