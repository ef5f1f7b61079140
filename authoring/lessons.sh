# lessons.sh - what making, packing and adding a lesson share: names, numbers, and the lists that name every lesson. Sourced in the course's folder; `command` says who complains.

refuse() { # message, remedy
    printf '%s: %s\n  %s\n' "$command" "$1" "$2" >&2
    exit 2
}

# Names become parts of C names, judge_26_halo_exchange, and a folder's: small letters and digits, with single dashes between. Leaves $number, which may be
# empty, and $name.
check_name() { # wanted, what to write
    [ -n "$1" ] || refuse "the name is missing" "$2"
    case $1 in
    [0-9][0-9]-*) number=${1%%-*} name=${1#*-} ;;
    *) number= name=$1 ;;
    esac
    [ "${#name}" -le 30 ] || refuse "\`$name\` is longer than 30 characters" "a lesson's name is one to three words, as in block-sum-static"
    printf '%s\n' "$name" | LC_ALL=C grep -qxE '[a-z][a-z0-9]*(-[a-z0-9]+)*' && [ "$(printf '%s\n' "$1" | wc -l)" -eq 1 ] ||
        refuse "\`$name\` cannot be the name of a lesson" "small letters and digits, words with a dash between them: halo-exchange"
}

next_number() {
    last=$(for folder in lessons/[0-9][0-9]-*; do basename "$folder"; done | cut -c1-2 | sort | tail -n 1)
    next=$((${last#0} + 1))
    [ "$next" -le 99 ] || refuse "there are lessons up to 99" "give a number that is free: NAME=42-${name:-name}"
    printf '%02d' "$next"
}

refuse_taken() { # number, name
    [ "$1" != 00 ] || refuse "numbers of lessons begin with 01" "leave the number out, and the next one is taken"
    for folder in lessons/"$1"-* lessons/[0-9][0-9]-"$2" solutions/"$1"-*; do
        [ ! -e "$folder" ] || refuse "$folder is there already" "give another name, or a number that is free"
    done
}

# Lines of the two lists that name every lesson: the last group of the course, and the README's table.
enter_in_lists() { # number, name, what one writes
    if grep -q '^In the making ' lessons/groups.txt; then
        sed -i "/^In the making /s/\$/ $1/" lessons/groups.txt
    else
        printf '%-24s | %s\n' "In the making" "$1" >>lessons/groups.txt
    fi
    awk -v row="| $1 | $2 | $3 |" -v number="$1" '
        /^\| [0-9][0-9] \| / { inside = 1; if (!done && substr($0, 3, 2) > number) { print row; done = 1 } }
        inside && !/^\|/ && !done { print row; done = 1 }
        { print }' README.md >"README.md.$$"
    cat "README.md.$$" >README.md
    rm "README.md.$$"
}

# The files of a packed lesson, as an extended regular expression of whole names. `lesson/` becomes a folder of lessons/.
packed='lesson/(judge\.c|driver\.cu|hidden\.def|lesson\.yaml|lesson\.md|questions\.md|gpu\.csv|figures/[A-Za-z0-9][A-Za-z0-9_-]*\.svg)|solutions/(solution\.cu|(mutants|alternatives|shapes|hidden)/[A-Za-z0-9][A-Za-z0-9_-]*\.cu)'

# What would run, or be shown, outside a sandbox: whoever packs a lesson hears of it as whoever adds one does. Of a folder with lesson/ and solutions/, which
# is called so. A figure may have a style, as the course's own have: it is shown as an image, so its style reaches nothing else, and what would load from elsewhere
# or hide from the search is refused.
look_into() { # folder, what it is called
    # judge.c becomes part of the judge. What it may not say is looked for in its text, with the tricks by which text hides from a search left out of C
    # as well; what it calls, in its object (below).
    for text in judge.c hidden.def; do
        [ -f "$1/lesson/$text" ] || continue
        odd=$(sed 's/__has_include("hidden\.def")//' "$1/lesson/$text" | grep -nE -m 1 \
            '\\$|\?\?|%:|<:|\b_*asm|__attribute|_Pragma|#[ \t]*(pragma|embed|line|import)|__has|\[\[' | cut -c1-120) || true
        [ -z "$odd" ] || refuse "$2: $text has what no judge needs, line $odd" "a judge is plain C: do not use it, or have its author change it"
        odd=$(grep -nE '^[ \t]*#[ \t]*include' "$1/lesson/$text" |
            grep -vE -m 1 ':#include ("(hidden\.def|autograder/judge\.h|base/poison\.h|lessons/common/[a-z]+\.h)"|<(float|limits|math|stdbool|stddef|stdint|stdlib|string)\.h>)$' | cut -c1-120) || true
        [ -z "$odd" ] || refuse "$2: $text includes another file than a judge needs, line $odd" "autograder/judge.h, lessons/common/*.h, and headers of C"
    done
    # A page is shown in browsers, with the figures in it.
    active='<!ENTITY|<(script|foreignObject|iframe|object|embed|link|meta|base|form)|javascript:|[ \t"/]on[a-z]+[ \t]*='
    for text in "$1"/lesson/lesson.md "$1"/lesson/questions.md "$1"/lesson/figures/*.svg; do
        [ -f "$text" ] || continue
        case $text in
        *.svg) besides='@(import|font-face)|url\([ \t]*["'\'']?[^#"'\'' \t]|image-set|\\[0-9a-f]' ;;
        *) besides='<style|\]\((\.\.|/|file:)|@import|\{=html\}' ;;
        esac
        odd=$(grep -niE -m 1 "$active|$besides" "$text" | cut -c1-120) || true
        [ -z "$odd" ] || refuse "$2: ${text##*/} has more than text and pictures, line $odd" "a page runs nothing, and takes nothing from elsewhere"
    done
    for text in lesson.md questions.md; do
        [ -f "$1/lesson/$text" ] || continue
        odd=$(grep -noE 'include="[^"]*"' "$1/lesson/$text" | grep -vE -m 1 "include=\"(lessons|solutions)/$lesson/[A-Za-z0-9_/.-]*\"" || grep -noE 'include="[^"]*\.\.[^"]*"' "$1/lesson/$text") || true
        [ -z "$odd" ] || refuse "$2: $text shows a file of another folder, line $odd" "a page shows files of its own lesson"
    done
}
