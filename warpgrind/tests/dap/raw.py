"""raw.py FOLDER - the adapter by messages of one's own: what each request does, and what is no request. FOLDER holds the programs `steps` and `sum`
with their sources. Prints a line PASSED NAME or FAILED NAME: WHY for each function case_*."""
import os
import sys
import traceback

from adapter import Adapter

FOLDER = sys.argv[1]
STEPS, SUM = f"{FOLDER}/steps", f"{FOLDER}/sum"


def lines_at(adapter, *rows, source=f"{FOLDER}/steps.cu"):
    return adapter.body("setBreakpoints", source={"path": source}, breakpoints=list(rows))["breakpoints"]


def case_a_finding_stops_the_run():
    a = Adapter()
    a.launch(SUM, seed=1)
    stop = a.run()
    assert (stop["reason"], stop["text"]) == ("exception", "shared-race"), stop
    info = a.body("exceptionInfo", threadId=stop["threadId"])
    assert info["exceptionId"] == "shared-race" and "__syncthreads()" in info["details"]["message"], info
    assert "the other is thread (224,0,0) of block (0,0,0): a write at" in info["details"]["stackTrace"], info
    assert a.line(stop["threadId"]) == 9
    assert a.value("temp[tid]") == "97"
    assert a.body("evaluate", expression="other", context="repl")["result"] == ""
    stop = a.event("stopped")
    assert a.line(stop["threadId"]) == 7 and a.value("tid") == "224", stop
    a.leave()


def case_a_source_that_is_more_recent_is_named_once():
    def said(a):
        return [m["body"]["output"] for m in a.messages if m.get("event") == "output" and "more recent than the program" in m["body"]["output"]]
    built = os.stat(f"{FOLDER}/sum.cu")
    for late, wanted in (3600, ["sum.cu"]), (-3600, []):
        os.utime(f"{FOLDER}/sum.cu", (built.st_atime, os.stat(SUM).st_mtime + late))
        a = Adapter()
        a.launch(SUM, stopOnEntry=True)
        for command in "configurationDone", "next", "next":
            a.run(command, threadId=2)
        assert [words.split(" is ")[0] for words in said(a)] == wanted, said(a)
        a.leave()
    os.utime(f"{FOLDER}/sum.cu", ns=(built.st_atime_ns, built.st_mtime_ns))


def case_filters_are_the_kinds_of_findings():
    a = Adapter()
    filters = a.body("initialize", adapterID="x")["exceptionBreakpointFilters"]
    usual = {f["filter"]: f["default"] for f in filters}
    assert usual["shared-race"] and not usual["bank-conflict"] and not usual["launch"] and len(usual) > 30, usual
    a.body("launch", program=SUM)
    a.body("setExceptionBreakpoints", filters=["out-of-bounds", "launch"])
    stop = a.run()
    assert stop["description"] == "a kernel is launched", stop
    a.body("continue", threadId=1)
    assert a.event("exited")["exitCode"] == 0
    a.leave()


def case_a_failed_call_stops_the_run():
    a = Adapter()
    a.launch(STEPS, args=["fails"])
    a.body("setExceptionBreakpoints", filters=["error"])
    stop = a.run()
    assert "cudaMemcpy" in stop["description"] and stop["threadId"] == 1, stop
    assert [t["name"] for t in a.body("threads")["threads"]] == ["the program"]
    frame = a.frame(1)
    assert frame["source"]["name"] == "steps.cu" and a.body("scopes", frameId=frame["id"])["scopes"] == [], frame
    assert not a.ask("stackTrace", threadId=77)["success"]
    a.leave()


def case_conditions_hit_counts_and_functions():
    a = Adapter()
    a.launch(STEPS)
    told = lines_at(a, {"line": 17, "condition": "i == 70"}, {"line": 16, "hitCondition": ">= 3"}, {"line": 16, "hitCondition": "% 2"}, {"line": 999})
    assert not told[2]["verified"] and "3, >= 3 or > 3" in told[2]["message"], told
    name = a.body("setFunctionBreakpoints", breakpoints=[{"name": "twice", "condition": "x == 51"}])["breakpoints"][0]
    stop = a.run()
    assert (stop["reason"], stop["hitBreakpointIds"]) == ("breakpoint", [told[1]["id"]]) and a.value("j") == "2", stop
    verified = a.event("breakpoint")["breakpoint"]
    assert verified == {"id": told[0]["id"], "verified": True, "line": 17}, verified
    lines_at(a, {"line": 17, "condition": "i == 70"})
    stop = a.run("continue", threadId=2)
    assert (stop["reason"], stop["hitBreakpointIds"]) == ("function breakpoint", [name["id"]]) and a.value("x") == "51", stop
    frames = a.body("stackTrace", threadId=stop["threadId"])["stackFrames"]
    assert [f["name"].split("<")[0].split("(")[0] for f in frames] == ["twice", "add"], frames
    assert a.value("i + j", frameId=frames[1]["id"]) == "51"
    a.body("setFunctionBreakpoints", breakpoints=[])
    stop = a.run("continue", threadId=2)
    assert a.value("i") == "70" and a.value("sum") == "426", stop
    a.body("continue", threadId=2)
    assert a.event("exited")["exitCode"] == 3
    a.leave()


def case_steps_forwards_and_back():
    a = Adapter()
    a.launch(STEPS, stopOnEntry=True)
    thread = a.run()["threadId"]
    there = [a.line(thread)]
    for _ in range(3):
        a.run("next", threadId=thread)
        there.append(a.line(thread))
    a.run("stepIn", threadId=thread)
    assert a.frame(thread)["name"].startswith("twice"), a.frame(thread)
    a.run("stepOut", threadId=thread)
    assert a.line(thread) == 16
    assert there == [13, 14, 15, 16], there
    refused = a.ask("stepOut", threadId=thread)
    assert not refused["success"] and "the kernel itself ends" in refused["message"], refused
    step = int(a.value("0"), 10) + 0
    a.run("next", threadId=thread, granularity="instruction")
    a.run("stepBack", threadId=thread)
    a.run("stepBack", threadId=thread)
    assert a.line(thread) == 15 and a.value("sum") == "0", (a.line(thread), step)
    stop = a.run("reverseContinue", threadId=thread)
    assert stop["reason"] == "entry" and "beginning of the run" in stop["description"], stop
    a.leave()


def case_other_warps_are_stepped():
    a = Adapter()
    a.launch(STEPS)
    lines_at(a, {"line": 14})
    stop = a.run()
    other = [t["id"] for t in a.body("threads")["threads"] if t["id"] != stop["threadId"]]
    assert len(other) >= 1, other
    lines_at(a)
    a.run("next", threadId=other[0])
    assert a.value("threadIdx.x / 32 + 10 * blockIdx.x") == "1"
    a.leave()


def case_variables_scopes_and_lanes():
    a = Adapter()
    a.launch(STEPS)
    lines_at(a, {"line": 17, "condition": "i == 35"})
    thread = a.run()["threadId"]
    frame = a.frame(thread)["id"]
    scopes = {s["name"]: s["variablesReference"] for s in a.body("scopes", frameId=frame)["scopes"]}

    def rows(reference, **members):
        return {v["name"]: v for v in a.body("variables", variablesReference=reference, **members)["variables"]}

    local = rows(scopes["Locals"])
    assert local["i"]["value"] == "35" and local["n"]["value"] == "100", local
    pair = rows(local["pair"]["variablesReference"])
    assert pair["a"]["value"] == "5" and pair["b"]["indexedVariables"] == 3, pair
    assert [v["value"] for v in rows(pair["b"]["variablesReference"], filter="indexed", start=1, count=2).values()] == ["2", "3"]
    assert rows(scopes["Locals"], format={"hex": True})["i"]["value"] == "35"
    lanes = rows(scopes["Lanes of the warp"])
    assert len(lanes) == 18 and lanes["lane 4 *"]["value"] == "line 17, ready", lanes
    assert rows(lanes["lane 4 *"]["variablesReference"])["i"]["value"] == "36"
    each = rows(rows(scopes["Variables in all lanes"])["i"]["variablesReference"])
    assert [v["value"] for v in each.values()] == [str(i) for i in range(32, 50)], each
    assert rows(scopes["CUDA"])["threadIdx"]["value"] == "(35,0,0)"
    table = a.body("evaluate", expression="lanes 2 * i", context="repl", frameId=frame)["variablesReference"]
    assert rows(table)["lane 0 *"]["value"] == "64"
    assert a.value("i", frameId=frame, format={"hex": True}) == "0x23"
    assert not a.ask("evaluate", expression="i = 3", frameId=frame)["success"]
    for command in ("setVariable", "setExpression"):
        refused = a.ask(command, variablesReference=scopes["Locals"], name="i", value="3")
        assert not refused["success"] and "values cannot be changed" in refused["message"], refused
    a.run("next", threadId=thread)
    assert not a.ask("variables", variablesReference=scopes["Locals"])["success"], "a handle of the stop before"
    a.leave()


def case_the_console_looks_at_another_thread():
    a = Adapter()
    a.launch(STEPS)
    lines_at(a, {"line": 17})
    a.run()
    a.body("evaluate", expression="cuda thread (40,0,0)", context="repl")
    stop = a.event("stopped")
    assert a.value("threadIdx.x") == "40", stop
    assert not a.ask("evaluate", expression="cuda thread (50,0,0)", context="repl")["success"]
    assert not a.ask("evaluate", expression="cuda sideways", context="repl")["success"]
    assert not a.ask("evaluate", expression="cuda", context="watch")["success"]
    a.body("evaluate", expression="goto 5", context="repl")
    a.event("stopped")
    assert a.body("scopes", frameId=a.frame(a.body("threads")["threads"][0]["id"])["id"])
    a.leave()


def case_a_change_stops_the_run():
    a = Adapter()
    a.launch(STEPS, stopOnEntry=True)
    thread = a.run()["threadId"]
    whole = a.body("dataBreakpointInfo", name="pair")
    assert whole["dataId"] is None and "one of its elements" in whole["description"], whole
    assert a.body("dataBreakpointInfo", name="nothing")["dataId"] is None
    info = a.body("dataBreakpointInfo", name="out[1]")
    told = a.body("setDataBreakpoints", breakpoints=[{"dataId": info["dataId"]}])["breakpoints"]
    stop = a.run("continue", threadId=thread)
    assert (stop["reason"], stop["hitBreakpointIds"]) == ("data breakpoint", [told[0]["id"]]), stop
    assert "out[1] has changed" in stop["description"] and a.value("out[1]") == "17", stop
    a.body("setDataBreakpoints", breakpoints=[])
    a.body("continue", threadId=thread)
    a.event("terminated")
    a.leave()


def case_the_end_leads_back():
    a = Adapter()
    a.launch(STEPS, stopAtEnd=True)
    stop = a.run()
    assert stop["reason"] == "exit" and stop["threadId"] == 1, stop
    assert lines_at(a, {"line": 17})[0]["id"] > 0
    stop = a.run("reverseContinue", threadId=1)
    assert a.line(stop["threadId"]) == 17, stop
    stop = a.run("restart")
    assert stop["reason"] == "breakpoint", stop
    printed = [m["body"]["output"] for m in a.messages if m.get("event") == "output" and m["body"]["category"] == "stdout"]
    assert printed == ["11 605\n"], printed
    a.body("terminate")
    a.event("terminated")
    assert not a.ask("continue", threadId=1)["success"]
    a.body("disconnect")
    assert a.process.wait(60) == 0


def case_a_run_is_paused_and_gets_breakpoints():
    a = Adapter()
    a.launch(STEPS, args=["long"])
    a.body("configurationDone")
    while a.event("output")["category"] != "stdout":
        pass
    assert [t["name"] for t in a.body("threads")["threads"]] == ["the program"]
    for command, members in (("stackTrace", {"threadId": 1}), ("continue", {"threadId": 1}), ("evaluate", {"expression": "1"})):
        refused = a.ask(command, **members)
        assert not refused["success"] and refused["message"] == "notStopped", refused
    a.body("pause", threadId=1)
    stop = a.event("stopped")
    assert stop["reason"] == "pause" and a.frame(stop["threadId"])["name"] == "run_long", stop
    a.body("continue", threadId=1)
    told = lines_at(a, {"line": 22})
    stop = a.event("stopped")
    assert (stop["reason"], stop["hitBreakpointIds"]) == ("breakpoint", [told[0]["id"]]), stop
    lines_at(a)
    numbers = [a.send("continue", threadId=1), a.send("pause", threadId=1), a.send("disconnect")]
    assert all(a.answer(n)["success"] for n in numbers)
    assert a.process.wait(60) == 0


def case_a_program_in_its_own_code():
    a = Adapter()
    a.launch(STEPS, args=["host"])
    a.body("configurationDone")
    while a.event("output")["category"] != "stdout":
        pass
    a.body("pause", threadId=1)
    a.event("terminated")
    words = [m["body"]["output"] for m in a.messages if m.get("event") == "output"]
    assert any("no kernel ran" in w for w in words), words
    a.leave()


def case_what_cannot_be_launched():
    a = Adapter()
    assert a.ask("threads")["body"]["threads"] == []
    assert a.ask("continue", threadId=1)["message"] == "nothing has been launched"
    for members, words in (
        ({}, "which program"),
        ({"program": f"{FOLDER}/missing"}, "build it first"),
        ({"program": STEPS, "devices": 9}, "from 1 to 8"),
        ({"program": STEPS, "seed": -1}, "0 or more"),
        ({"program": STEPS, "reshape": "2:1"}, "LAUNCH:GRID:BLOCK"),
        ({"program": STEPS, "cwd": f"{FOLDER}/missing"}, "cannot be entered"),
    ):
        refused = a.ask("launch", {"name": "x", **members})
        assert not refused["success"] and words in refused["message"], refused
    refused = a.ask("attach", pid=1)
    assert not refused["success"] and "launch it" in refused["message"], refused
    a.body("launch", program=STEPS, noDebug=True, reshape="1:1:50")
    assert not lines_at(a, {"line": 17})[0]["verified"]
    assert not a.ask("launch", program=STEPS)["success"]
    a.body("configurationDone")
    assert not a.ask("configurationDone")["success"]
    a.event("exited")
    said = "".join(m["body"]["output"] for m in a.messages if m.get("event") == "output")
    assert "11 -1" in said, said  # half of the blocks, so the last element is nobody's
    a.leave()


def case_messages_that_are_none():
    a = Adapter()
    a.write(b"hello\r\n\r\n")
    assert "no Content-Length" in a.answer(0)["message"]
    a.write(b"Content-Length: -5\r\n\r\n")
    assert "no Content-Length" in a.answer(0)["message"]
    a.write(b"Content-Length: 99999999999\r\n\r\n" + b"x" * 100)
    assert "16 MiB" in a.answer(0)["message"]
    assert a.leave() == 0
    a = Adapter()
    for text in (b"nonsense", b"[]", b"7", b"null", b"{}", b'{"type":7}', b"{" * 1000, b"\xff\xfe\x00", b""):
        a.write(b"Content-Length: %d\r\n\r\n%s" % (len(text), text))
        assert not a.answer(0)["success"], text
    a.write(b'content-length: 26\nX: y\n\n{"type":"response","seq":1}')
    a.write(b"\0\0\0")
    assert not a.answer(0)["success"]
    a.write(b"x" * 9000)
    assert "no header" in a.answer(0)["message"]
    a.write(b"\r\n\r\n")
    assert not a.answer(0)["success"]
    refused = a.ask("fly")
    assert not refused["success"] and "no request fly" in refused["message"], refused
    a.launch(STEPS, stopOnEntry=True)
    assert a.run()["reason"] == "step"
    odd = [None, [], 7, "x", {}] + [{name: value} for value in (None, [], {}, -1, 2**62, "x", [None, [], 7, {}, "x"], {"path": 7}) for name in MEMBERS]
    for command in REQUESTS:
        for arguments in odd:
            a.send(command, arguments)
    answer = a.ask("evaluate", expression="1 + 1")
    assert answer["success"] and answer["body"]["result"] == "2", answer
    assert a.leave() == 0


# Those that only look, or set up: each gets arguments of all kinds. What runs the program is tried elsewhere.
REQUESTS = """setBreakpoints setFunctionBreakpoints setExceptionBreakpoints dataBreakpointInfo setDataBreakpoints threads stackTrace scopes variables evaluate
    exceptionInfo pause cancel setVariable source""".split()
MEMBERS = "threadId frameId variablesReference source breakpoints filters expression name start count levels startFrame format context".split()


def case_what_is_not_reached_and_how_it_ended():
    a = Adapter()
    a.launch(STEPS, args=["dies"])
    lines_at(a, {"line": 999}, {"line": 17, "condition": "i == 12345"}, {"line": 13})
    a.body("setFunctionBreakpoints", breakpoints=[{"name": "nowhere"}])
    a.body("setExceptionBreakpoints", filters=[])
    a.run()
    lines_at(a, {"line": 999}, {"line": 17, "condition": "i == 12345"})
    a.body("continue", threadId=1)
    assert a.event("exited")["exitCode"] == 128 + 6
    a.event("terminated")
    words = [m["body"]["output"] for m in a.messages if m.get("event") == "output" and m["body"]["category"] == "console"]
    places = ["nowhere", "steps.cu:999", "steps.cu:17"]
    assert words[0].startswith("The program was ended by SIGABRT; ") and sorted(words[1:]) == sorted(f"The breakpoint at {p} was not reached.\n" for p in places), words
    a.leave()


def case_an_editor_that_goes_at_any_time():
    def begin(*words, **members):
        a = Adapter()
        a.launch(STEPS, args=list(words), **members)
        return a

    def runs():
        a = begin("long")
        a.body("configurationDone")
        while a.event("output")["category"] != "stdout":
            pass
        return a

    def stands():
        a = begin(stopOnEntry=True)
        a.run()
        return a

    def steps_back():
        a = stands()
        a.run("next", threadId=2)
        a.send("stepBack", threadId=2)
        return a

    half = b'Content-Length: 500\r\n\r\n{"seq":'
    for state in (Adapter, begin, runs, stands, steps_back):
        for words in (b"", half, half[:9]):
            a = state()
            a.write(words)
            assert a.leave() == 0, (state, words)
    a = stands()
    a.process.stdout.close()
    os.write(a.process.stdin.fileno(), b'Content-Length: 47\r\n\r\n{"seq":9,"type":"request","command":"threads"} ')
    assert a.process.wait(60) == 0
    a = runs()
    a.process.kill()
    a.process.wait(60)


def case_two_at_once_and_each_again():
    both = [Adapter(), Adapter()]
    for a in both:
        a.launch(STEPS, stopOnEntry=True)
    for a in both:
        a.run()
    both[0].run("next", threadId=2)
    assert (both[0].line(2), both[1].line(2)) == (14, 13)
    for _ in range(2):
        assert both[0].run("restart")["reason"] == "step"
    assert both[0].line(2) == 13 and both[0].leave() == 0
    both[1].run("next", threadId=2)
    assert both[1].line(2) == 14 and both[1].leave() == 0


def case_lines_may_be_counted_from_0():
    a = Adapter()
    a.body("initialize", adapterID="x", linesStartAt1=False)
    a.body("launch", program=STEPS)
    lines_at(a, {"line": 16})
    stop = a.run()
    assert a.line(stop["threadId"]) == 16 and a.event("breakpoint")["breakpoint"]["line"] == 16
    assert a.value("sum") == "6", "the loop of the line before is over"
    a.leave()


wanted = os.environ.get("FILTER", "")
for name, case in list(globals().items()):
    words = name.removeprefix("case_").replace("_", " ")
    if not name.startswith("case_") or wanted not in words:
        continue
    try:
        case()
        print(f"PASSED {words}", flush=True)
    except Exception as error:  # pylint: disable=broad-except
        place = traceback.extract_tb(error.__traceback__)
        own = [f for f in place if f.filename == __file__][-1]
        print(f"FAILED {words}: line {own.lineno}: {type(error).__name__} {str(error)[:600]}", flush=True)
