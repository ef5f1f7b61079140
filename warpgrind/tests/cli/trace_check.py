"""Whether a trace is what docs/trace.md says: python3 trace_check.py SCHEMA TRACE. Prints what is wrong, or nothing."""
import collections
import json
import sys

import jsonschema


def nested(track, slices):
    """Slices of one track lie in each other or side by side."""
    open_until = []
    for start, end, name in sorted(slices, key=lambda s: (s[0], -s[1])):
        while open_until and open_until[-1] <= start:
            open_until.pop()
        if open_until and end > open_until[-1]:
            yield f"{track}: {name} at {start} reaches out of the slice around it"
        open_until.append(end)


def problems(trace):
    complete = trace["otherData"]["complete"]
    tracks = collections.defaultdict(list)
    begun = collections.defaultdict(list)
    flows = collections.defaultdict(list)
    named = set()
    for event in trace["traceEvents"]:
        track = (event["pid"], event["tid"])
        phase = event["ph"]
        if phase == "M":
            named.add(event["pid"] if event["name"].startswith("process") else track)
        elif phase == "B":
            begun[track].append((event["ts"], event["name"]))
        elif phase == "E":
            if not begun[track]:
                yield f"{track}: an end without a beginning"
                continue
            start, name = begun[track].pop()
            if event["ts"] < start:
                yield f"{track}: {name} ends before it begins"
            tracks[track].append((start, event["ts"], name))
        elif phase == "X":
            tracks[track].append((event["ts"], event["ts"] + event["dur"], event["name"]))
        elif phase in "sf":
            flows[event["id"]].append((phase, event["ts"], track))
        if phase != "M" and not (event["pid"] in named and track in named):
            yield f"{track}: has no name yet"
    for track, left in begun.items():
        if complete and left:
            yield f"{track}: {left[-1][1]} has no end"
    for track, slices in tracks.items():
        yield from nested(track, slices)
    for number, ends in flows.items():
        if [end[0] for end in ends] != ["s", "f"] or ends[0][1] > ends[1][1]:
            yield f"arrow {number}: {ends}"
        for phase, time, track in ends:
            started = [start for start, _, _ in tracks[track]] + [start for start, _ in begun[track]]
            if time not in started:
                yield f"arrow {number}: no slice begins at its {phase}"
    if trace["otherData"]["events"] != len(trace["traceEvents"]):
        yield "otherData.events is not the number of events"


def shape(value):
    """What the schema can see of a value: numbers are alike when their signs are, texts of an event's fields never."""
    if isinstance(value, dict):
        return tuple(sorted((key, shape(field)) for key, field in value.items()))
    if isinstance(value, list):
        return tuple(map(shape, value))
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return type(value).__name__, (value > 0) - (value < 0)
    return value


def one_of_each(trace):
    """The trace with one event of each shape: a large one repeats few shapes, and validating each event takes a minute."""
    named = {"args": lambda args: tuple(sorted((key, type(value).__name__, not value) for key, value in args.items())), "name": bool}
    kinds = {tuple((key, named.get(key, shape)(value)) for key, value in event.items()): event for event in trace["traceEvents"]}
    return {**trace, "traceEvents": list(kinds.values())}


def main():
    schema = json.load(open(sys.argv[1], encoding="utf-8"))
    text = open(sys.argv[2], "rb").read()
    trace = json.loads(text.decode("utf-8"))
    jsonschema.Draft202012Validator.check_schema(schema)
    found = [error.message[:200] for error in jsonschema.Draft202012Validator(schema).iter_errors(one_of_each(trace))]
    found += list(problems(trace))
    if len(text) > trace["otherData"]["limit_bytes"]:
        found.append("larger than its limit")
    print("\n".join(found[:20]), end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
