#!/bin/bash
# The course in a browser, in Chromium: browser.js and class-browser.js say what is tried. Needs what tests/browser/run.sh needs, and the editor that make setup-serve brings; where
# one of them cannot be had, the suite says so and ends with the status 77, which is a skip.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
. tests/serve/class.bash
browser=$(sh docs/build/browser.sh)

skip() {
    echo "SKIPPED the course in a browser: $1"
    echo "0 passed, 0 failed"
    exit 77
}

[ -x "$build/bin/warpschool-http" ] || skip "libmicrohttpd-dev is not installed (make setup-serve installs it)"
[ -n "$browser" ] || skip "no Chromium is installed (make setup-notes installs it)"
node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null || skip "node 18 or newer is not installed"
command -v npm >/dev/null || skip "npm is not installed"
sh tests/browser/install.sh >"$work/npm.log" 2>&1 || skip "npm ci brought no packages ($(grep -m 1 -i error "$work/npm.log"))"
BUILD=$build sh serve/page/editor/install.sh >"$work/npm.log" 2>&1 || skip "npm ci brought no editor ($(grep -m 1 -i error "$work/npm.log"))"


# look SCRIPT ARGUMENTS...: adds up what it counts.
look() {
    TMPDIR=$work NODE_PATH=$PWD/build/browser/node_modules node "$@" "${FILTER:-}" >"$work/output" 2>"$work/errors"
    grep -v '^[0-9]* [0-9]*$' "$work/output"
    local counts own_passed own_failed
    counts=$(tail -n 1 "$work/output")
    if [[ $counts =~ ^[0-9]+\ [0-9]+$ ]]; then
        read -r own_passed own_failed <<<"$counts"
        passed=$((passed + own_passed)) failed=$((failed + own_failed))
    else
        verdict "the browser${FILTER:+ $FILTER}" "it ended early: $(grep -v 'unexpected operator' "$work/errors" | tail -n 3)"
    fi
}

make_class ann bob cy
echo '{id: class, lessons: {01: {due: 2999-01-01 12:00 Z}}}' >"$room/course.yaml"
start_server || verdict "the server starts" "$(cat "$work/serve.err")"
look tests/serve/browser.js "$address" "$key" "$browser" "$course/work"
stop_server
verdict "the server ends well" "$([ $? -eq 0 ] || cat "$work/serve.err")"
look tests/serve/class-browser.js "$build/bin/warpschool" "$course" "$room" "$browser"
finish
