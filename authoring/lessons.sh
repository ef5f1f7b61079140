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
