#!/bin/bash
# make install of the course, and `warpschool start`: a learner's folder works with what was installed and no source tree, and all of it goes again.
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
export TMPDIR=$work
make --no-print-directory BUILD="${BUILD:-build}" install DESTDIR="$work/root" PREFIX=/usr >"$work/log" 2>&1
verdict "make install" "$([ $? -eq 0 ] || tail -n 5 "$work/log")"
home=$work/root/usr/lib/warpschool
verdict "neither solutions nor hidden cases are installed" "$(find "$home" -path '*solution*' -o -name '*.def' -path '*lessons*' -o -name 'judge.c' | head -n 3)"

# The program is not on the PATH.
learner() { # arguments of make in the learner's folder; leaves output and status
    output=$(cd "$work/cuda" && env -u MAKEFLAGS -u MAKELEVEL make --no-print-directory "$@" 2>&1)
    status=$?
}
"$work/root/usr/bin/warpschool" start "$work/cuda" >"$work/said" 2>&1
verdict "start: a new folder" "$([ $? -eq 0 ] && grep -q 'is ready' "$work/said" && [ "$(find "$work/cuda/starter" -name '*.cu' | wc -l)" -eq "$(ls starter | wc -l)" ] || cat "$work/said")"
"$work/root/usr/bin/warpschool" start "$work/cuda" >"$work/said" 2>&1
verdict "start: never over what is there" "$([ $? -eq 2 ] && grep -q 'something in it already' "$work/said" || cat "$work/said")"
"$work/root/usr/bin/warpschool" start "$work/absent/cuda" >"$work/said" 2>&1
verdict "start: where no folder can be" "$([ $? -eq 2 ] && grep -q 'cannot be made: No such file' "$work/said" || cat "$work/said")"
mkdir -p "$work/cuda/work" && cp solutions/01-vector-add/solution.cu "$work/cuda/work/01-vector-add.cu"
learner debug LESSON=01 <<<quit
verdict "debug: the debugger is there" "$([ $status -eq 0 ] && grep -q 'in .*01-vector-add.cu:' <<<"$output" || echo "$output")"
# The packages' own test, with what was installed; of the pages that a package brings there is one, of the second lesson.
html=$work/root/usr/share/doc/warpschool-doc/html/lessons
mkdir -p "$html" && : >"$html/03-grid-stride.html"
mkdir "$work/packaged" && PATH=$work/root/usr/bin:$PATH AUTOPKGTEST_TMP=$work/packaged env -u MAKEFLAGS -u MAKELEVEL sh debian/tests/learner >"$work/said" 2>&1
verdict "exercise, hint, list, picture, doctor: debian/tests/learner" "$([ $? -eq 0 ] || tail -n 12 "$work/said")"
verdict "exercise: without a page it names the lesson's text" "$(cd "$work/packaged/cuda" && grep -qx "The lesson's text: lessons/01-vector-add/lesson.md" starter.said && [ -s lessons/01-vector-add/lesson.md ] || cat starter.said)"
verdict "exercise: with the package of pages it names the page" "$(grep -qx "The lesson's page: $html/03-grid-stride.html" "$work/packaged/cuda/next.said" || cat "$work/packaged/cuda/next.said")"
learner help
verdict "help: each target is there" "$(for goal in $(sed -n 's/^make \([a-z]*\).*/\1/p' <<<"$output"); do grep -q "^$goal:" "$work/cuda/Makefile" || echo "$goal"; done)"
make --no-print-directory uninstall DESTDIR="$work/root" PREFIX=/usr >/dev/null 2>&1
verdict "make uninstall" "$(find "$work/root" ! -type d)"
finish
