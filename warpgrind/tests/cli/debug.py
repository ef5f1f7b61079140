"""debug.py PROGRAM STEPS WHERE [ARGUMENTS...] - steps a program forwards and back again, and compares.

Speaks the protocol of docs/debug-protocol.md. Each line that the thread WHERE, "BLOCK,THREAD", comes to is noted with its number and the values of
all variables; then the same thread goes back, line by line, to where it began, and by number to some of them. A program whose kernels are all a library's has
no lines: it goes by instructions. Prints what differs and exits with 1, or prints how many stops were compared.
"""
import json
import os
import subprocess
import sys

debugger = subprocess.Popen([os.environ["WARPGRIND"], "debug", "--json", sys.argv[1], *sys.argv[4:]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(command, **members):
    print(json.dumps({"command": command, **members}), file=debugger.stdin, flush=True)
    while "event" in (answer := json.loads(debugger.stdout.readline())) and "ok" not in answer:
        pass
    need("event" not in answer, "an answer that reads like an event", answer)
    return answer


def look(stop):
    return {"step": stop["step"], "line": stop.get("line"), "function": stop.get("function"), "variables": ask("locals").get("variables")}


def need(condition, what, *values):
    if not condition:
        sys.exit(f"{what}: {values}")


def step_forwards(aim):
    """The stops of the thread from the program's beginning."""
    stops = []
    need(ask("start")["ok"], "no start")
    ask("catch", findings=False)
    ask("focus", block_number=block, thread_number=thread)
    while len(stops) < int(sys.argv[2]):
        stop = ask("go", **{"for": aim})
        if stop["reason"] != "step":
            break
        stops.append(look(stop))
    return stops


block, thread = map(int, sys.argv[3].split(","))
aim = "line"
forwards = step_forwards(aim)
if len(forwards) < 3:
    aim = "instruction"
    forwards = step_forwards(aim)
need(len(forwards) >= 3, "too few stops to compare", len(forwards))
ask("goto", step=forwards[-1]["step"])
for before in reversed(forwards[:-1]):
    stop = ask("back", **{"for": aim})
    need(stop["ok"], "no way back", stop)
    now = look(stop)
    need(now == before, "back is not what it was", now, before)
for there in forwards[:: max(1, len(forwards) // 4)]:
    stop = ask("goto", step=there["step"])
    now = look(stop)
    need(now == there, "the same step is not the same", now, there)
need(ask("back", **{"for": "stop"})["reason"] == "beginning", "the beginning is not told")
print(f"{len(forwards)} stops are the same forwards and back")
