#!/usr/bin/env python3
"""Classroom 50's entry: CLASSROOM/autograders/ASSIGNMENT/autograder.py, with `lessons` (their numbers) beside it.

The runner starts it in the student's checkout. It leaves result.json and release-body.md there, and report.txt and NN-name.html (what the
threads of a kernel did), which the assignment lists as release assets. The toolkit is in the runtime's container image, in /warpschool
(the stage "grader" of .devcontainer/Dockerfile). Exit status: 0 when it ran, whatever the points; 3 when something could not be decided.
"""
import os
import pathlib
import subprocess
import sys
import tempfile

TREE = pathlib.Path(os.environ.get("WARPSCHOOL_TREE", "/warpschool"))
WARPSCHOOL = TREE / "build" / "bin" / "warpschool"
BUNDLE = pathlib.Path(os.environ.get("CLASSROOM50_BUNDLE_DIR", pathlib.Path(__file__).resolve().parent))


def run(*words, **options):
    return subprocess.run([str(word) for word in words], check=False, stdin=subprocess.DEVNULL, **options).returncode


def commit_time():
    """The commit's time, which a regrade does not change."""
    words = ["git", "log", "-1", "--date=format-local:%Y-%m-%dT%H:%M:%SZ", "--format=%cd"]
    done = subprocess.run(words, check=False, capture_output=True, text=True, env={**os.environ, "TZ": "UTC"})
    return done.stdout.strip() if done.returncode == 0 else ""


def replace(path):
    """A name of ours that the student has already, as a link perhaps, is taken away first."""
    if path.is_symlink() or path.exists():
        path.unlink()
    return path


def main():
    lessons = (BUNDLE / "lessons").read_text(encoding="utf-8").split()
    here = pathlib.Path.cwd()
    os.environ["COMMIT_TIME"] = commit_time()
    with tempfile.TemporaryDirectory() as results:
        if run("sh", TREE / "grading" / "adapters" / "grade.sh", here, results, *lessons) == 2:
            return 3
        found = sorted(pathlib.Path(results).glob("*.json"))
        for form, name in (("classroom50", "result.json"), ("markdown", "release-body.md"), ("text", "report.txt")):
            if run(WARPSCHOOL, "export", form, *found, "-o", replace(here / name)):
                return 3
        for result in found:  # of the cases that everybody sees
            source = here / f"{result.stem}.cu"
            if source.is_file() and not source.is_symlink():
                run(WARPSCHOOL, "check", result.stem, source, "--picture", replace(here / f"{result.stem}.html"), stdout=subprocess.DEVNULL)
    return 0


sys.exit(main())
