#!/bin/sh
# The packages that judging needs, one a line: those of autograder/packages.txt that are not for tests, pages or lint.
awk '!/^#/ && NF { why = ""; for (i = 3; i <= NF; i++) why = why " " $i
     if (why !~ /^ (unit tests|tests of|make lint|course notes|reference pages|the course as|outline and tags)/) print $1 }' \
    "$(dirname "$0")/../../autograder/packages.txt"
