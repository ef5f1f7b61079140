#!/bin/sh
# Layers point one way: proves the table of docs/ARCHITECTURE.md from the #include lines. Prints each arrow that
# points back and exits 1 when there is one.
cd "$(dirname "$0")/../.." || exit 3

allowed() { # folder -> folders whose headers it may include (besides its own)
    case $1 in
    base) echo "" ;;
    ptx) echo "base" ;;
    gpu) echo "base ptx" ;;
    check) echo "base ptx gpu" ;;
    cudart | curand) echo "include" ;; # its tables, which programs see
    device) echo "base ptx gpu check cudart include" ;;
    warpcc | autograder | lessons) echo "base autograder" ;;
    intake | book) echo "base autograder grading" ;; # grading: the table of commands, directly in that folder
    similarity) echo "base autograder grading intake" ;;
    out) echo "base autograder grading book" ;;
    run) echo "base autograder grading intake book out similarity" ;;
    grading) echo "base autograder" ;;
    warpschool) echo "base autograder grading" ;;
    *) echo "?" ;;
    esac
}

# The folder that a path belongs to: warpgrind/X and grading/X are folders of their own.
room() { echo "$1" | sed 's,^warpgrind/,,; s,^grading/\([a-z]*\)/,\1/,; s,/.*,,'; }

git ls-files -co --exclude-standard 'base/*.[ch]' 'warpgrind/*.[ch]' 'autograder/*.[ch]' 'lessons/*.[ch]' 'grading/*.[ch]' 'warpschool/*.[ch]' |
    grep -v '^warpgrind/include/' | {
    bad=0 arrows=0
    while read -r file; do
        from=$(room "$file")
        for to in $(sed -n 's,^ *# *include "\(grading/\)\{0\,1\}\([a-z_]*\)/.*,\2,p' "$file" | sort -u); do
            arrows=$((arrows + 1))
            [ "$to" = "$from" ] && continue
            case " $(allowed "$from") " in
            *" $to "*) ;;
            *) echo "$file: $from must not include $to" && bad=1 ;;
            esac
        done
    done
    [ "$arrows" -gt 0 ] || { echo "layers: found no include at all" && bad=1; }
    [ "$bad" -eq 0 ] && echo "layers: $arrows arrows, all point down"
    exit "$bad"
}
