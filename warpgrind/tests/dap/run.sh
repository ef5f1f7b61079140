#!/bin/bash
# warpgrind debug --dap: raw.py by messages of our own, what is no message among them; client.js by the published client of npm's, which install.sh
# brings. Where that cannot be had, the suite says so, and the first part is all there is. BUILD names the build folder. Ends with "N passed, N failed".
. "$(dirname "$0")/../cli/common.bash"
export WARPGRIND=$warpgrind PYTHONDONTWRITEBYTECODE=1

# count COMMAND...: its lines PASSED and FAILED as cases; one that ends early is a failure.
count() {
    local line
    while IFS= read -r line; do
        case $line in
        PASSED*) passed=$((passed + 1)) ;;
        FAILED*) failed=$((failed + 1)) && echo "$line" && { [ -z "${FIRST_FAILURE:-}" ] || finish; } ;;
        *) verdict "the end of $2" "$line $(tail -n 3 "$work/errors")" ;;
        esac
    done < <(timeout 600 "$@" 2>"$work/errors" || echo "exit status $?")
}
# gone PATTERN: waits until no process has it in its command line.
gone() {
    local i
    for i in $(seq 300); do
        pgrep -f -- "$1" >/dev/null || return 0
        sleep 0.1
    done
    return 1
}
# without_client WHY: why the published client does not run.
without_client() { echo "SKIPPED the published client of the Debug Adapter Protocol: $1"; }

for program in tests/dap/steps.cu docs/example/sum.cu; do
    cp "$program" "$work/" && name=$(basename "$program" .cu)
    "$warpcc" -o "$work/$name" "$work/$name.cu" 2>"$work/log" || verdict "$name compiles" "$(cat "$work/log")"
done

count python3 tests/dap/raw.py "$work"
check "an editor that goes leaves no process" 'gone "$work/steps"'
if ! node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null; then
    without_client "node 18 or newer is not installed"
elif ! command -v npm >/dev/null; then
    without_client "npm is not installed"
elif ! BUILD=$build sh tests/dap/install.sh >"$work/npm.log" 2>&1; then
    without_client "npm ci brought no packages ($(grep -m 1 -i error "$work/npm.log"))"
else
    count env NODE_PATH="$build/dap/node_modules" node tests/dap/client.js "$work"
fi

# The editor's extension: it has no code, its version is the one that was asked for, and its `launch` has members that the page knows.
cat >"$work/vsix.py" <<'PYTHON'
import json
import sys
import xml.etree.ElementTree as tree
import zipfile

files = zipfile.ZipFile(sys.argv[1])
names = sorted(files.namelist())
assert names == ["[Content_Types].xml", "extension.vsixmanifest", "extension/LICENSE.txt", "extension/README.md", "extension/package.json"], names
identity = next(e for e in tree.fromstring(files.read("extension.vsixmanifest")).iter() if e.tag.endswith("}Identity"))
assert (identity.get("Id"), identity.get("Version"), identity.get("Publisher")) == ("warpgrind", "7.8.0", "warpschool"), identity.attrib
manifest = json.loads(files.read("extension/package.json"))
assert manifest["version"] == "7.8.0" and not {"main", "browser", "activationEvents", "dependencies", "scripts"} & set(manifest), manifest
(debugger,) = manifest["contributes"]["debuggers"]
assert (debugger["type"], debugger["runtime"], debugger["runtimeArgs"]) == ("warpgrind", "warpgrind", ["debug", "--dap"]), debugger
page = open("docs/debug-adapter.md", encoding="utf-8").read().split("## What `launch` says")[1].split("\n## ")[0]
told = [word for line in page.splitlines() if line.startswith("| `") for word in line.split("|")[1].replace("`", "").replace(",", "").split()]
launch = debugger["configurationAttributes"]["launch"]
assert set(told) == set(launch["properties"]) | {"noDebug"} and launch["required"] == ["program"], told
for configuration in debugger["initialConfigurations"]:
    assert set(configuration) - {"type", "request", "name"} <= set(launch["properties"]), configuration
PYTHON
if ! command -v npm >/dev/null || ! node -e 'process.exit(parseInt(process.versions.node) >= 18 ? 0 : 1)' 2>/dev/null; then
    echo "SKIPPED the extension: npm or node 18 is not installed"
elif BUILD=$build sh vscode/pack.sh "$work/warpgrind.vsix" 7.8 2>"$work/log"; then
    verdict "the extension is a manifest and nothing else" "$(python3 "$work/vsix.py" "$work/warpgrind.vsix" 2>&1 | tail -n 1)"
    (umask 077 && TZ=Asia/Tokyo BUILD=$build sh vscode/pack.sh "$work/again.vsix" 7.8 2>"$work/log")
    check "packed again, later and elsewhere, it is the same byte for byte" 'cmp "$work/warpgrind.vsix" "$work/again.vsix"'
    SOURCE_DATE_EPOCH=1700000000 BUILD=$build sh vscode/pack.sh "$work/again.vsix" 7.8 2>"$work/log"
    check "and has the time of SOURCE_DATE_EPOCH" '[ "$(python3 -c "import sys, zipfile; print({entry.date_time for entry in zipfile.ZipFile(sys.argv[1]).infolist()})" "$work/again.vsix")" = "{(2023, 11, 14, 22, 13, 20)}" ]'
elif grep -q 'brought no vsce' "$work/log"; then
    echo "SKIPPED the extension: $(cat "$work/log")"
else
    verdict "the extension is packed" "$(tail -n 3 "$work/log")"
fi

sed -n 's/^DAP_RE[A-Z]*(\([a-zA-Z]*\),.*/\1/p' debug/requests.def >"$work/names"
missing=$(while read -r name; do grep -qF "\`$name\`" docs/debug-adapter.md || echo "$name"; done <"$work/names")
check "each request is in the page" '[ -z "$missing" ] && [ "$(wc -l <"$work/names")" -gt 25 ]'
check "the help names it" '"$warpgrind" debug --help | grep -q -- "--dap"'
finish
