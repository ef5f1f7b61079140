"""debug.py PROGRAM STEPS [WHERE] - steps a program forwards and back again, and compares.

Speaks the protocol of docs/debug-protocol.md. Each line that the first thread of the first block (or a thread "BLOCK,THREAD") comes to is
noted with its number and the values of all variables; then the same thread goes back, line by line, to where it began, and by number to each of
them. Prints what differs and exits with 1, or prints how many stops were compared.
"""
import json
import os
import subprocess
import sys

debugger = subprocess.Popen([os.environ["WARPGRIND"], "debug", "--json", sys.argv[1]], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)


def ask(command, **members):
    print(json.dumps({"command": command, **members}), file=debugger.stdin, flush=True)
    while "event" in (answer := json.loads(debugger.stdout.readline())):
        pass
    return answer


def look(stop):
    return {"step": stop["step"], "line": stop.get("line"), "function": stop.get("function"), "variables": ask("locals").get("variables")}


def need(condition, what, *values):
    if not condition:
        sys.exit(f"{what}: {values}")


block, thread = map(int, (sys.argv[3] if len(sys.argv) > 3 else "0,0").split(","))
need(ask("start")["ok"], "no start")
ask("catch", findings=False)
ask("focus", block_number=block, thread_number=thread)
forwards = []
while len(forwards) < int(sys.argv[2]):
    stop = ask("go", **{"for": "line"})
    if stop["reason"] != "step":
        break
    forwards.append(look(stop))
need(len(forwards) > 3, "too few lines to compare", len(forwards), stop)
ask("goto", step=forwards[-1]["step"])
for before in reversed(forwards[:-1]):
    stop = ask("back", **{"for": "line"})
    need(stop["ok"], "no way back", stop)
    now = look(stop)
    need(now == before, "back is not what it was", now, before)
for there in forwards[:: max(1, len(forwards) // 5)]:
    stop = ask("goto", step=there["step"])
    now = look(stop)
    need(now == there, "the same step is not the same", now, there)
need(ask("back", **{"for": "stop"})["reason"] == "beginning", "the beginning is not told")
print(f"{len(forwards)} stops are the same forwards and back")
