"""pytest plugin: CUDA programs checked on a software GPU from within tests.

    pytest -p pytest_warpgrind        # this folder on PYTHONPATH

    def test_saxpy(warpgrind):
        result = warpgrind(["./saxpy", "1000"])
        assert "max error 0" in result.stdout

The fixture runs the command by `warpgrind ci` and fails the test with what was found: new errors, what could not be checked, and that no kernel
ran. It returns a subprocess.CompletedProcess whose `report` is the merged report. To check everything that the tests start, whether they know of
it or not, run pytest itself that way: warpgrind ci -- pytest.
"""
import json
import os
import subprocess
import tempfile

import pytest


def pytest_addoption(parser):
    group = parser.getgroup("warpgrind")
    group.addoption("--warpgrind", default="warpgrind", metavar="PROGRAM", help="the warpgrind to use")
    group.addoption("--warpgrind-baseline", metavar="FILE", help="findings that are known, and fail nothing")
    group.addoption("--warpgrind-fail-on", default="error", choices=["error", "note", "never"], help="what fails a test")


def describe(finding):
    lines = ["%s: %s: %s" % (finding["severity"], finding["kind"], finding["message"])]
    if finding.get("file"):
        lines.append("  --> %s:%s" % (finding["file"], finding["line"]))
    other = finding.get("other")
    if other and other.get("file"):
        lines.append("  --> %s:%s" % (other["file"], other["line"]))
    if finding.get("explanation"):
        lines.append("  what to do: " + finding["explanation"])
    return "\n".join(lines)


@pytest.fixture
def warpgrind(request):
    """A function: run(command, options=(), **arguments of subprocess.run)."""
    config = request.config

    def run(command, options=(), **arguments):
        with tempfile.TemporaryDirectory() as folder:
            path = os.path.join(folder, "report.json")
            words = [config.getoption("--warpgrind"), "ci", "--quiet", "--report", path, "--fail-on", config.getoption("--warpgrind-fail-on")]
            if config.getoption("--warpgrind-baseline"):
                words += ["--baseline", os.path.abspath(config.getoption("--warpgrind-baseline"))]
            arguments = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "universal_newlines": True, **arguments}
            result = subprocess.run(words + list(options) + ["--"] + [os.fspath(word) for word in command], **arguments)
            result.report = None
            if os.path.exists(path):
                with open(path, encoding="utf-8") as file:
                    result.report = json.load(file)
        if result.returncode != 0:
            findings = (result.report or {}).get("findings", [])
            new = [describe(finding) for finding in findings if not finding.get("known")]
            pytest.fail("\n".join([result.stderr or ""] + new), pytrace=False)
        return result

    return run
