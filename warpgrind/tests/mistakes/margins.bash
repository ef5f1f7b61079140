# margins.bash - compares what was said of a program, $source, with what its margins expect: sourced by the scripts that have it said.
# MARGINS has all margins, KINDS the usual severities; REPORTS is where all reports are kept (suite.bash). It has a folder of its own, $work. Who runs the program puts the report into $work/report.json and the compiler's words into $work/log, and calls
# `keep` and `check_words` with a few words on how it was run; compare_all comes last. Each prints "PASSED" or "FAILED ...".
name=$(basename "$source" .cu)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
margins=$(dirname "${BASH_SOURCE[0]}")
labels=()
has_words=false
if grep -qE '// (says: |first)' "$source"; then has_words=true; fi

expects_nothing() { ! grep -qF "\"$source\"" "$MARGINS" && ! grep -qE '// warns: |^/\* expect-none' "$source"; }

mapfile -n 4 -t head_lines <"$source"
head_field() {
    local line
    for line in "${head_lines[@]}"; do
        [[ ! $line =~ ^'/* '"$1: "(.*[^ ])' */' ]] || echo "${BASH_REMATCH[1]}"
    done
}

# keeps the report for compare_all. A program that died leaves none.
keep() { # how it was run
    labels+=("$*")
    [ -s "$work/report.json" ] || echo '{}' >"$work/report.json"
    cp "$work/report.json" "$work/kept-${#labels[@]}.json"
    cp "$work/report.json" "$REPORTS/$name@${compiler:-}${#labels[@]}.json"
}

# One start of jq for all runs: it takes longer than most programs do.
compare_all() {
    local number files=()
    for ((number = 1; number <= ${#labels[@]}; number++)); do files+=("$work/kept-$number.json"); done
    jq -nr --slurpfile wanted "$MARGINS" --slurpfile usual "$KINDS" --arg file "$name.cu" --arg runs "$(printf '%s\n' "${labels[@]}")" \
        -f "$margins/margins.jq" "${files[@]}" 2>&1 || echo "FAILED $name: jq cannot read the reports"
}

# `// says: TEXT`: a finding that names this line says so, or the compiler. `// first`: the report begins with this line.
check_words() { # how it was run
    $has_words || return 0
    local line text found
    while IFS=: read -r line text; do
        text=${text##*// says: }
        found=$(jq -r --argjson line "$line" '.findings[] | select(.line == $line or (.other.line // 0) == $line) | .message + " " + .explanation' \
            "$work/report.json")
        if [[ $found == *"$text"* ]] || { [ ! -x "$work/program" ] && grep -qF "$text" "$work/log"; }; then
            echo PASSED
        else
            echo "FAILED $name ($*): line $line does not say '$text', but: $found"
        fi
    done < <(grep -n '// says: ' "$source")
    line=$(grep -n '// first' "$source" | cut -d: -f1)
    [ -n "$line" ] || return 0
    found=$(jq -r '.findings[0].line' "$work/report.json")
    if [ "$line" != "$found" ]; then echo "FAILED $name ($*): the report begins with line $found"; fi
}
