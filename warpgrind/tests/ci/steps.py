#!/usr/bin/env python3
"""Runs the steps of a composite action as a runner would: steps.py ACTION.yml NAME=VALUE... Ends with the status of the first step that fails."""
import os
import re
import subprocess
import sys

import yaml


def main(path, given):
    with open(path, encoding="utf-8") as file:
        action = yaml.safe_load(file)
    inputs = {}
    for name, about in action["inputs"].items():
        if about.get("required") and name not in given:
            sys.exit("steps.py: the input %s is required" % name)
        inputs[name] = given.get(name, about.get("default", ""))

    def fill(text):
        return re.sub(r"\$\{\{ inputs\.([a-z-]+) \}\}", lambda match: inputs[match.group(1)], str(text))

    for step in action["runs"]["steps"]:
        environment = dict(os.environ, GITHUB_ACTIONS="true", GITHUB_ACTION_PATH=os.path.dirname(os.path.abspath(path)))
        environment.update({name: fill(value) for name, value in step.get("env", {}).items()})
        status = subprocess.run(["bash", "--noprofile", "--norc", "-e", "-o", "pipefail", "-c", fill(step["run"])], env=environment).returncode
        if status != 0:
            sys.exit(status)


if __name__ == "__main__":
    main(sys.argv[1], dict(word.split("=", 1) for word in sys.argv[2:]))
