# common.bash - how the command-line tests of warpgrind run programs and check what came of it: sourced by the scripts beside it.
. "$(dirname "${BASH_SOURCE[0]}")/../suite.bash"
warpgrind=$build/bin/warpgrind warpcc=$build/bin/warpcc

check() { # name, command that tells
    selected "$1" || return 0
    local problem=
    eval "$2" || problem="not so: $2 $(tail -n 5 "$work/out" "$work/log" 2>/dev/null)"
    verdict "$1" "$problem"
}

run() { # arguments of warpgrind; leaves $status, out, log
    timeout 300 "$warpgrind" "$@" >"$work/out" 2>"$work/log"
    status=$?
}

build_from() { # name; source on stdin
    cat >"$work/$1.cu"
    "$warpcc" -o "$work/$1" "$work/$1.cu" >"$work/log" 2>&1 && [ -x "$work/$1" ] || verdict "$1 compiles" "$(cat "$work/log")"
}

# The record of the picture's page $1; and whether that of $work/page.html meets a condition of jq's.
record() { sed -n '/<script type="application\/json" id="data">/,/<\/script>/{//d;p}' "$1"; }
says() { [ "$(record "$work/page.html" 2>/dev/null | jq "$1" 2>/dev/null)" = true ]; }

valid() { # schema, file: prints what is wrong
    python3 -c '
import json, sys
import jsonschema
schema = json.load(open(sys.argv[1]))
def close(part):  # members that the schema does not name are refused here: readers skip them, writers document them
    if isinstance(part, list):
        return [close(entry) for entry in part]
    if not isinstance(part, dict):
        return part
    part = {key: close(value) for key, value in part.items()}
    if "additionalProperties" in part or part.get("title") == "party":
        return part
    if "properties" in part and "required" in part or part.get("$ref") == "#/$defs/party":
        part["unevaluatedProperties"] = False
    return part
schema["$defs"].get("party", {})["title"] = "party"
schema = close(schema)
for base in schema["$defs"]["finding"].get("allOf", []):
    base.pop("unevaluatedProperties", None)
jsonschema.Draft202012Validator.check_schema(schema)
for error in jsonschema.Draft202012Validator(schema).iter_errors(json.load(open(sys.argv[2]))):
    print("/".join(map(str, error.absolute_path)), error.message[:200])
    sys.exit(1)' "$1" "$2" >"$work/invalid" 2>&1 || { cat "$work/invalid"; return 1; }
}
