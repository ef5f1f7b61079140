#!/bin/sh
# The packages that judging needs, one a line, by their names in this system's archive: those of autograder/packages.txt for learning and grading.
exec sh "$(dirname "$0")/../../autograder/setup.sh" --list learn grading
