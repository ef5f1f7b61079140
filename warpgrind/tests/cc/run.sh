#!/bin/bash
# run.sh - tests of warpcc and the CUDA headers. FILTER selects sources by their path, and the groups
# "headers", "commands", "curand", "cublas" and "declared". Ends with "N passed, N failed".
#
#   programs/*.cu   typical programs: compile without a word with every clang there is (and nvcc), and run right
#                   where the software GPU is built; NAME.out is what NAME.cu prints when nvcc builds it
#   ptx/*.cu        what the device code must look like: "// ptx: REGEX" in the margin of the line it must come from,
#                   "// ptx-count: N REGEX", "// text: REGEX", "// no-text: REGEX", "// debug-name: NAME", "// levels: ..."
#   messages/*.cu   what the compiler must say, once: "// error: TEXT" and "// warning: TEXT" in the margin
#   ALL=1           with every clang, not only the newest and the oldest; NVCC_PROGRAMS limits the programs that nvcc compiles
#   headers.sh, commands.sh   the headers against other compilers and NVIDIA's; the command line
. "$(dirname "$0")/../suite.bash"
build=$(cd "$build" && pwd) || exit 3
cd tests/cc || exit 3
warpcc=$build/bin/warpcc
mkdir "$work/tmp" && export TMPDIR=$work/tmp
clangs=$(for v in 19 18 17 16 15 14; do command -v clang-$v; done)
[ -n "$clangs" ] || clangs=$(command -v clang)
# The newest and the oldest; ALL=1 takes those between as well.
[ -n "${ALL:-}" ] || clangs=$(echo "$clangs" | sed -n '1p;$p' | uniq)

nvcc=$(PATH=$PATH:/usr/local/cuda/bin command -v nvcc)
[ -n "$nvcc" ] || echo "SKIPPED: no nvcc, so nothing is compiled with it"

# The folder of NVIDIA's toolkit. Only nvcc knows it: the one on the path may be a link or a script.
toolkit() { "$nvcc" --dryrun -x c -E /dev/null 2>&1 | sed -n 's/^#\$ TOP=//p'; }

pass() { passed=$((passed + 1)); }
fail() {
    failed=$((failed + 1))
    echo "FAILED: $1"
    shift
    [ $# -eq 0 ] || printf '%s\n' "$@" | sed 's/^/    /' | head -20
}
# check WHAT COMMAND...: passes when the command succeeds and says nothing.
check() {
    local what=$1 said status
    shift
    said=$("$@" 2>&1)
    status=$?
    if [ $status -eq 0 ] && [ -z "$said" ]; then pass; else fail "$what (status $status)" "$said"; fi
}

# makes FILE WHAT COMMAND...: the same, and FILE is there afterwards.
makes() {
    local file=$1
    shift
    rm -f "$file"
    check "$@"
    [ -s "$file" ] || fail "$1 leaves no file"
}

# The programs compare exact values on purpose.
exact=-Wno-float-equal

# NVCC_PROGRAMS leaves nvcc only these.
by_nvcc() { case " ${NVCC_PROGRAMS:-$1} " in *" $1 "*) ;; *) return 1 ;; esac; }

# sources FOLDER: those that FILTER asks for, of each four one drawn.
sources() {
    local source
    for source in "$1"/*.cu; do ! selected "$source" || echo "$source"; done | drawn 4 "sources of cc/$1"
}
mapfile -t programs < <(sources programs)

test_programs() {
    local source clang level
    for source in "${programs[@]}"; do
        for clang in $clangs; do
            WARPCC_CLANG=$clang makes "$work/o.o" "$source, ${clang##*/}" "$warpcc" $exact -c -o "$work/o.o" "$source"
            [ "$clang" != "${clangs%%$'\n'*}" ] || mv "$work/o.o" "$work/$(basename "$source" .cu)-usual.o"
        done
        makes "$work/o.o" "$source, -O2 and c++20" "$warpcc" $exact -O2 -std=c++20 -c -o "$work/o.o" "$source"
        [ -n "$nvcc" ] && by_nvcc "$(basename "$source" .cu)" || continue
        makes "$work/o.o" "$source, nvcc" "$warpcc" --nvcc -c -o "$work/o.o" "$source"
    done
}

test_runs() {
    local source said status
    for source in "${programs[@]}"; do
        makes "$work/program" "$source, link" "$warpcc" -o "$work/program" "$work/$(basename "$source" .cu)-usual.o"
        said=$(timeout 300 "$build/bin/warpgrind" "$work/program" 2>&1 >"$work/printed")
        status=$?
        if [ $status -eq 0 ]; then pass; else fail "$source runs (status $status)" "$said"; fi
        [ -e "${source%.cu}.out" ] || continue
        check "$source prints what it prints with nvcc" diff "${source%.cu}.out" "$work/printed"
    done
}

ptx_of() { # SOURCE LEVEL -> $work/x.ptx and $work/x.lines
    "$warpcc" -O"$2" -w -c --keep-ptx "$work/x.ptx" -o "$work/x.o" "$1" &&
        awk -v source="${1##*/}" -f ptx_lines.awk "$work/x.ptx" "$work/x.ptx" >"$work/x.lines"
}

check_ptx_margins() { # SOURCE NAME
    local line pattern
    while IFS=$'\t' read -r line pattern; do
        if grep -P "^$line\t" "$work/x.lines" | grep -qE "$pattern"; then pass; else
            fail "$2: no $pattern from line $line" "$(grep -P "^$line\t" "$work/x.lines")"
        fi
    done < <(awk '/\/\/ ptx: / { n = $0; sub(/.*\/\/ ptx: */, "", n); print NR "\t" n }' "$1")
}

check_ptx_whole() { # SOURCE NAME
    local want pattern got
    while read -r _ _ want pattern; do
        got=$(cut -f2- "$work/x.lines" | grep -cE "$pattern")
        if [ "$got" = "$want" ]; then pass; else fail "$2: $got times $pattern, not $want"; fi
    done < <(grep '^// ptx-count:' "$1")
    while read -r _ _ pattern; do
        if grep -qE "$pattern" "$work/x.ptx"; then pass; else fail "$2: no $pattern"; fi
    done < <(grep '^// text:' "$1")
    while read -r _ _ pattern; do
        if ! grep -qE "$pattern" "$work/x.ptx"; then pass; else fail "$2: there is $pattern"; fi
    done < <(grep '^// no-text:' "$1")
    while read -r _ _ pattern; do
        if debug_has "$pattern"; then pass; else fail "$2: no debug name $pattern"; fi
    done < <(grep '^// debug-name:' "$1")
    grep -q '^// no-other-file' "$1" || return
    got=$(grep -P '^other\t' "$work/x.lines" | grep -vE 'ret|ld\.param|st\.param')
    if [ -z "$got" ]; then pass; else fail "$2: instructions with lines of other files" "$got"; fi
}

debug_has() { # names are bytes in .debug_info or .debug_str
    local codes
    codes=$(printf '%s' "$1" | od -An -tu1 -v | tr -s ' \n' ' ' | sed 's/^ //; s/ $//; s/ /[^0-9]+/g')
    awk '/\.section/ { on = 1 } on && /^\.b8/ { gsub(/\/\/.*/, ""); sub(/^\.b8/, ""); gsub(/[^0-9,]/, ""); printf "%s,", $0 }' \
        "$work/x.ptx" | grep -qE "[^0-9]$codes[^0-9]"
}

test_ptx() {
    local source clang level levels name
    for source in $(sources ptx); do
        levels=$(sed -n 's/^\/\/ levels: //p' "$source")
        for clang in $clangs; do
            export WARPCC_CLANG=$clang
            for level in $levels; do
                name="$source, ${clang##*/} -O$level"
                if ! ptx_of "$source" "$level"; then fail "$name"; continue; fi
                check_ptx_margins "$source" "$name"
                check_ptx_whole "$source" "$name"
            done
        done
    done
    unset WARPCC_CLANG
}

test_messages() {
    local source clang kind line text got want status
    for source in messages/*.cu; do
        selected "$source" || continue
        for clang in $clangs; do
            WARPCC_CLANG=$clang "$warpcc" -c -o "$work/o.o" "$source" 2>"$work/said"
            status=$?
            want=$(grep -c '// error: ' "$source")
            if [ $status -eq $((want > 0)) ]; then pass; else fail "$source, ${clang##*/}: status $status"; fi
            while IFS=$'\t' read -r line kind text; do
                got=$(grep -F "$source:$line:" "$work/said" | grep -F " $kind: $text" -c)
                if [ "$got" = 1 ]; then pass; else
                    fail "$source:$line, ${clang##*/}: $got times '$kind: $text'" "$(cat "$work/said")"
                fi
            done < <(awk 'match($0, /\/\/ (error|warning): /) { t = substr($0, RSTART + 3); k = t; sub(/:.*/, "", k);
                          sub(/^[a-z]*: /, "", t); print NR "\t" k "\t" t }' "$source")
            got=$(grep -cE ': (error|warning|fatal error): ' "$work/said")
            want=$(grep -cE '// (error|warning): ' "$source")
            if [ "$got" = "$want" ]; then pass; else fail "$source, ${clang##*/}: $got messages, not $want" "$(cat "$work/said")"; fi
        done
    done
}

. ./headers.sh
. ./commands.sh
. ./declared.sh
. ./cublas.sh

test_programs
test_runs
test_ptx
test_messages
! selected headers || test_headers
! selected commands || test_commands
! selected curand || test_curand
! selected cublas || test_cublas
! selected declared || test_declared
finish
