"""What orders two operations on one array, by CUDA's rules (Programming Guide: streams, the default stream, synchronous calls), against what
warpgrind finds: orders.py WARPGRIND PROGRAM FIRST ONE_OF tries every ONE_OFth combination that begins with FIRST, and prints those that differ."""
import itertools
import json
import subprocess
import sys

OPERATIONS = ("kernel-writes", "kernel-reads", "to-pinned", "from-pinned", "to-pageable", "from-pageable", "sync-to", "sync-from",
              "sync-from-pinned", "sync-device-to", "sync-memset", "device-from", "device-to", "memset")
WRITES = set(OPERATIONS) - {"kernel-reads", "to-pinned", "to-pageable", "sync-to", "device-from"}
# The calls that return when all is done; the other synchronous ones may return before (CUDA Runtime API, API synchronization behavior).
DONE = {"sync-to", "sync-from-pinned", "to-pageable"}
# The streams of the two: 0 the default stream, b one that waits for it, n one that does not, t the thread's own, = the first one's again.
STREAMS = ("0=", "b=", "n=", "t=", "0b", "0n", "0t", "b0", "bb", "bn", "n0", "nn", "t0", "tt", "tn")
BETWEEN = ("nothing", "event", "early-event", "other-event", "unrecorded", "through-third", "event-sync", "event-query", "stream-sync",
           "stream-query", "wrong-sync", "device-sync")
HOST_WAITS = {"event-sync", "event-query", "stream-sync", "stream-query", "device-sync"}


def stream_of(operation, kind):
    return "0" if operation.startswith("sync-") else kind


def is_ordered(first, second, streams, between):
    """None: CUDA leaves it open."""
    mine, its = streams[0], streams[0] if streams[1] == "=" else streams[1]
    a, b = stream_of(first, mine), stream_of(second, its)
    one = a == b and (streams[1] == "=" or a in "0t")
    if one or (a == "0" and b != "n") or (b == "0" and a != "n"):
        return True
    if first in DONE:
        return True
    if first == "from-pageable":
        return None  # staged: it may still be on its way
    # An event, or a wait, in a stream of the program's own says nothing of the default stream, unless the two wait for each other.
    after_first = a == mine or (a == "0" and mine != "n")
    if a != mine == "b" and between in ("stream-sync", "stream-query"):
        return None  # nothing has been asked for in that stream
    if between == "device-sync" or (between in HOST_WAITS and after_first):
        return True
    if between in ("event", "through-third"):
        return after_first and (b == its or (b == "0" and its != "n"))
    return False


def main(warpgrind, program, first, one_of):
    report, tried = program + ".json", 0
    for i, (second, streams, between) in enumerate(itertools.product(OPERATIONS, STREAMS, BETWEEN)):
        expected = is_ordered(first, second, streams, between)
        if i % one_of or expected is None or not {first, second} & WRITES:
            continue
        tried += 1
        ran = subprocess.run([warpgrind, "--quiet", "--report", report, program, first, second, streams, between], capture_output=True)
        with open(report, encoding="utf-8") as file:
            findings = [f["kind"] for f in json.load(file)["findings"] if f["severity"] == "error"]
        if ran.returncode not in (0, 1):
            print("NOTHING", first, second, streams, between, ran.returncode)
        elif bool(findings) == expected:
            print("FALSE" if findings else "MISSED", first, second, streams, between, *findings)
    print(tried, "tried")


main(sys.argv[1], sys.argv[2], sys.argv[3], int(sys.argv[4]))
