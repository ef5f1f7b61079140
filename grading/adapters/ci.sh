#!/bin/sh
# For continuous integration: ci.sh LESSON... judges the checkout in the current folder, and leaves in $REPORTS (reports/ when not set)
# report.xml (JUnit), findings.sarif, feedback.txt, summary.md and the results themselves. In a GitHub workflow it also makes annotations and the
# step's summary. Exit status as grade.sh: 1 when a lesson is not passed yet, so that the job says so.
set -u
tree=$(cd "$(dirname "$0")/../.." && pwd) || exit 3
warpschool=$tree/build/bin/warpschool
reports=${REPORTS:-reports}
mkdir -p "$reports/results" || exit 3
rm -f "$reports/results/"*.json
sh "$tree/grading/adapters/grade.sh" . "$reports/results" "$@"
status=$?
[ $status -ne 2 ] || exit 2

give() { "$warpschool" export "$1" "$reports/results/"*.json -o "$reports/$2" || status=3; }
give junit report.xml
give sarif findings.sarif
give text feedback.txt
give markdown summary.md
if [ -n "${GITHUB_ACTIONS:-}" ]; then
    "$warpschool" export github "$reports/results/"*.json || status=3
    # A line of feedback that looks like a command of the log is not one between these two.
    token=$(od -An -N16 -tx1 /dev/urandom | tr -d ' \n')
    printf '::stop-commands::%s\n' "$token"
    cat "$reports/feedback.txt"
    printf '::%s::\n' "$token"
    [ -z "${GITHUB_STEP_SUMMARY:-}" ] || head -c 1000000 "$reports/summary.md" >>"$GITHUB_STEP_SUMMARY"
else
    cat "$reports/feedback.txt"
fi
exit $status
