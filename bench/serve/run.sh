#!/bin/bash
# A class in browsers under load: pages by wrk, first alone, then while STUDENTS check one text after the other and hear over STREAMS streams; in turn with checks that
# give way to pages (as `warpschool serve --class` starts them) and with ones that do not (ordinary.c). And what a check by the server costs of the processor
# beside the same at the terminal. What is to be believed of a machine that does other things besides are the ratios. Needs wrk (apt-get install wrk).
# $1: build folder.
TREE=. BUILD=$1
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
. tests/serve/serving.bash
. tests/serve/class.bash
students=${STUDENTS:-40} streams=${STREAMS:-300} seconds=${LOAD_SECONDS:-8} spread=${SPREAD:-0} rounds=${ROUNDS:-3} checks=${CHECKS:-10} lesson=01-vector-add
command -v wrk >/dev/null || { echo "bench-serve: wrk is not installed (apt-get install wrk)"; exit 2; }
mapfile -t everybody < <(for ((i = 1; i <= students; i++)); do printf 's%03d\n' "$i"; done)
cc -shared -fPIC -o "$work/ordinary.so" bench/serve/ordinary.c || exit 3
TIMEFORMAT='%U %S'

# Each time a new class, for which no check of the last one waits.
begin() {
    rm -rf "$room"
    make_class "${everybody[@]}" 2>"$work/there"
    start_class "$@" || exit 3
    class links | tail -n +3 | sed 's,^.*"http://[^/]*\(/enter/[^"]*\)"$,\1,' >"$work/links"
    while read -r link; do curl -si "$address$link" | sed -n 's/^Set-Cookie: \([^;]*\);.*/\1/p'; done <"$work/links" >"$work/cookies"
    cookies[s001]=$(head -n 1 "$work/cookies")
}

# pages NAME: a line "requests-per-second p50 p95 p99 errors", times in milliseconds.
pages() { COOKIE=${cookies[s001]} wrk -t1 -c4 "-d${seconds}s" -s bench/serve/pages.lua "$address/lessons/$lesson.html" | tail -n 1 >>"$work/$1"; }

# under_load NAME: the same while the class checks.
under_load() {
    python3 bench/serve/class.py "$port" "$lesson" "$streams" "$((seconds + 2))" "$spread" <"$work/cookies" >>"$work/$1-class" &
    local load=$!
    sleep 2
    pages "$1"
    wait "$load"
}

for ((round = 0; round < rounds; round++)); do
    begin
    pages alone
    under_load gives-way
    stop_server
    LD_PRELOAD=$work/ordinary.so begin
    under_load ordinary
    stop_server
done

# processor: hundredths of a second that the server and all that it has waited for have used.
processor() { awk '{ print $14 + $15 + $16 + $17 }' "/proc/$server/stat"; }
begin -j 1
mkdir -p "$course/work"
for ((i = -1; i < checks; i++)); do # the first one reads what judges, once
    { cat "solutions/$lesson/solution.cu"; echo "// at the terminal $i"; } >"$course/work/$lesson.cu"
    { time "$build/bin/warpschool" --root "$course" exercise "$lesson" >/dev/null 2>&1; } 2>>"$work/terminal"
    { cat "solutions/$lesson/solution.cu"; echo "// by the server $i"; } >"$work/own.cu"
    before=$(processor) judged=$(rows 'SELECT 1 FROM version WHERE verdict IS NOT NULL' | wc -l)
    send s001 "$lesson" check "$work/own.cu" >/dev/null
    await_rows "$((judged + 1))" 'SELECT 1 FROM version WHERE verdict IS NOT NULL'
    sleep 0.3 # it is waited for
    [ "$i" -lt 0 ] || echo "$(($(processor) - before)) 0" >>"$work/server"
done
stop_server

# The median of a column.
median() { awk -v c="$2" '{ print $c }' "$work/$1" | sort -g | awk '{ all[NR] = $1 } END { print all[int((NR + 1) / 2)] }'; }
printf '\na class of %d in browsers on %d cores, medians of %d runs in turn\n' "$students" "$(nproc)" "$rounds"
printf '  pages alone                          %s requests per second; half within %s ms, 95%% within %s ms\n' "$(median alone 1)" "$(median alone 2)" "$(median alone 3)"
printf '  while %s check, with %s streams      %s requests per second; half within %s ms, 95%% within %s ms\n' "$students" "$streams" "$(median gives-way 1)" "$(median gives-way 2)" "$(median gives-way 3)"
printf '  the same, where checks do not give way  %s requests per second; half within %s ms, 95%% within %s ms\n' "$(median ordinary 1)" "$(median ordinary 2)" "$(median ordinary 3)"
printf '  refused or broken                    %s of all pages, %s students\n' "$(cat "$work"/alone "$work"/gives-way "$work"/ordinary | awk '{ sum += $5 } END { print sum + 0 }')" \
    "$(cat "$work"/*-class | awk '{ sum += $2 } END { print sum + 0 }')"
printf '  checks meanwhile                     %s giving way, %s not\n' "$(median gives-way-class 1)" "$(median ordinary-class 1)"
awk -v a="$(median gives-way 3)" -v b="$(median ordinary 3)" -v p="$(median gives-way-class 1)" -v q="$(median ordinary-class 1)" \
    'BEGIN { printf "  giving way, beside not               95%% of pages %.2f, checks %.2f\n", a / b, p / q }'
awk -v server="$(awk '{ sum += $1 / 100 } END { print sum / NR }' "$work/server")" -v terminal="$(awk '{ sum += $1 + $2 } END { print sum / NR }' "$work/terminal")" \
    'BEGIN { printf "  a check, of the processor            %.2f s by the server, %.2f s at the terminal: %.2f\n", server, terminal, server / terminal }'
