#!/bin/bash
# The built site in a browser: browser.js says what is looked at. Needs Chromium, node and the two packages of package.json, which install.sh
# brings; where one of them cannot be had, the suite says so and ends with the status 77, which is a skip. BROWSER names another Chromium.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
modules=$PWD/build/browser
browser=$(sh docs/build/browser.sh)

skip() {
    echo "SKIPPED the site in a browser: $1"
    echo "0 passed, 0 failed"
    exit 77
}

[ -n "$browser" ] || skip "no Chromium is installed (make setup installs it)"
node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null || skip "node 18 or newer is not installed"
command -v npm >/dev/null || skip "npm is not installed"
sh tests/browser/install.sh >"$work/npm.log" 2>&1 || skip "npm ci brought no packages ($(grep -m 1 -i error "$work/npm.log"))"

# A student's page and the class's, one with texts that are not meant well and one with very long ones.
mkdir "$work/samples" "$work/grades"
"$build/tests/grading/export_samples" "$work/samples" >/dev/null 2>&1
for page in plain.feedback markup.feedback long.feedback class.report; do
    cp "$work/samples/$page" "$work/grades/$page.html" || verdict "$page" "it was not written"
done
"$build/bin/warpcc" -o "$work/pictured" tests/browser/pictured.cu && "$build/bin/warpgrind" --picture "$work/pictured.html" "$work/pictured" >"$work/picture.log" 2>&1
[ -s "$work/pictured.html" ] || verdict "the picture of pictured.cu" "it was not written"
TMPDIR=$work NODE_PATH=$modules/node_modules node tests/browser/browser.js "$build/site" "$browser" "${FILTER:-}" "$work/pictured.html" "$work"/grades/*.html >"$work/output" 2>"$work/errors"
grep '^FAILED' "$work/output"
counts=$(tail -n 1 "$work/output")
if [[ $counts =~ ^[0-9]+\ [0-9]+$ ]]; then
    read -r passed failed <<<"$counts"
else
    verdict "the browser${FILTER:+ $FILTER}" "it ended early: $(grep -v 'unexpected operator' "$work/errors" | tail -n 3)"
fi
finish
