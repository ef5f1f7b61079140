#!/bin/sh
# `make lesson-add FILE=... [HASH=...] [NAME=...]`: adds a lesson that somebody has packed (lesson-pack.sh). The file must be what its first line, and HASH, say; the archive may
# have plain files of a lesson and nothing else; judge.c, which will run in the judge's own process, may call the judge's functions and nothing
# else; and the lesson must pass its checks in a sandbox with a copy of the course, without a network. Only then does it come into the course. HASH is what
# the author told, all of it or its first 16 digits or more.
set -eu
cd "$(dirname "$0")/.."
. authoring/lessons.sh
command=lesson-add
build=${BUILD:-build}
file=${1:-} told=${2:-} wanted=${3:-}
most_bytes=8388608 most_files=300
[ -n "$file" ] || refuse "the file is missing" "make lesson-add FILE=26-halo-exchange.lesson"
[ -f "$file" ] || refuse "$file is no file" "give the file that make lesson-pack wrote"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT
export LC_ALL=C

# ---- is it what its author packed? ----

[ "$(wc -c <"$file")" -le $most_bytes ] || refuse "$file is larger than a lesson" "ask its author"
cat "$file" >"$stage/file"
head -c 200 "$stage/file" | head -n 1 | tr -d '\0' >"$stage/head"
grep -qxE 'warpschool-lesson/v1 [0-9][0-9]-[a-z0-9-]{1,30} [0-9a-f]{64}' "$stage/head" || refuse "$file is no packed lesson" "make lesson-pack writes one"
read -r _ packed_as hash <"$stage/head"
tail -c +$(($(wc -c <"$stage/head") + 1)) "$stage/file" >"$stage/archive"
[ "$(sha256sum <"$stage/archive" | cut -d' ' -f1)" = "$hash" ] || refuse "$file was changed after it was packed: its hash does not match" "get it from its author again"
if [ -n "$told" ]; then
    printf '%s\n' "$told" | grep -qxE '[0-9a-fA-F]{16,64}' || refuse "\`$told\` is no hash" "all 64 digits that the author told, or the first 16 or more"
    case $hash in
    "$(printf '%s' "$told" | tr A-F a-f)"*) ;;
    *) refuse "$file is another lesson than the one whose hash you were told" "its own begins with $(printf '%s' "$hash" | cut -c1-16): ask its author" ;;
    esac
fi

# ---- plain files of a lesson, and nothing else ----

foreign() { refuse "$file has $1" "a packed lesson has plain files of one lesson, and nothing else; do not use it"; }
gzip -dc <"$stage/archive" 2>/dev/null | head -c $((most_bytes + 1)) >"$stage/tar" || true
[ "$(wc -c <"$stage/tar")" -le $most_bytes ] || foreign "more than $((most_bytes >> 20)) MiB"
gzip -t <"$stage/archive" 2>/dev/null || foreign "an archive that is damaged"
tar --quoting-style=escape --numeric-owner --full-time -tvf "$stage/tar" >"$stage/listing" 2>"$stage/complaints" && [ ! -s "$stage/complaints" ] || foreign "an archive that cannot be read"
[ "$(wc -l <"$stage/listing")" -le $most_files ] || foreign "more than $most_files files"
grep -q '^[^-]' "$stage/listing" && foreign "something that is no plain file: $(grep -m 1 '^[^-]' "$stage/listing" | cut -c1-150)"
[ "$(awk '{ sum += $3 } END { print sum + 0 }' "$stage/listing")" -le $most_bytes ] || foreign "files of more than $((most_bytes >> 20)) MiB"
tar --quoting-style=escape -tf "$stage/tar" >"$stage/names"
odd=$(grep -vxE -m 1 -e "$packed" "$stage/names" | cut -c1-150) || true
[ -z "$odd" ] || foreign "a file that no lesson has: $odd"
[ -z "$(sort "$stage/names" | uniq -d)" ] || foreign "a file twice: $(sort "$stage/names" | uniq -d | head -n 1)"
for needed in lesson/judge.c lesson/driver.cu lesson/lesson.yaml lesson/lesson.md solutions/solution.cu; do
    grep -qxF "$needed" "$stage/names" || refuse "$file has no $needed" "ask its author"
done

# ---- where it goes: its number, where that is free; its own names follow ----

check_name "${wanted:-$packed_as}" "make lesson-add FILE=$file NAME=26-halo-exchange"
if [ -z "$number" ] || { [ -z "$wanted" ] && ls -d lessons/"$number"-* >/dev/null 2>&1; }; then number=$(next_number); fi
refuse_taken "$number" "$name"
lesson=$number-$name
old=judge_$(printf '%s' "$packed_as" | tr - _) new=judge_$(printf '%s' "$lesson" | tr - _)
mkdir "$stage/new"
# Each is written by us, to a name that was looked at: tar makes no file, no folder and no link.
while read -r entry; do
    mkdir -p "$stage/new/$(dirname "$entry")"
    tar -xOf "$stage/tar" "$entry" >"$stage/raw" </dev/null
    [ "$(tr -d '\0' <"$stage/raw" | wc -c)" -eq "$(wc -c <"$stage/raw")" ] || foreign "a file that is no text: $entry"
    sed -e "s/$packed_as/$lesson/g" -e "s/\\b$old\\b/$new/g" -e "s/\\bLESSON=${packed_as%%-*}\\b/LESSON=$number/g" "$stage/raw" >"$stage/new/$entry"
done <"$stage/names"

# ---- what would run, or be shown, outside a sandbox ----

look_into "$stage/new" "$file"

# ---- its checks, in a sandbox ----

put() { # folder of a course
    mkdir -p "$1/lessons/$lesson" "$1/solutions/$lesson"
    cp -R "$stage/new/lesson/." "$1/lessons/$lesson/"
    cp -R "$stage/new/solutions/." "$1/solutions/$lesson/"
    awk -f lessons/common/starter.awk "$1/solutions/$lesson/solution.cu" >"$1/starter/$lesson.cu"
}

course=$stage/course
mkdir -p "$course/$build"
# The course, and nothing else that lies in its folder: no gradebook, no submissions.
for part in Makefile README.md authoring autograder bench docs grading lessons serve solutions starter tests warpgrind warpschool; do
    [ ! -e "$part" ] || cp -a "$part" "$course/"
done
for part in bin gen headers include lessons lib obj; do cp -a "$build/$part" "$course/$build/"; done
put "$course" && (cd "$course" && enter_in_lists "$number" "$name" "-") || refuse "$file: its solution has no starter" "ask its author"
as_nobody=
if [ "$(id -u)" -eq 0 ]; then
    as_nobody='setpriv --reuid=65534 --regid=65534 --clear-groups'
    chown -R 65534:65534 "$course"
    chmod 711 "$stage"
fi
in_sandbox() { # command of the shell, in the copy of the course
    # shellcheck disable=SC2086 # words
    (ulimit -f 2097152 && exec timeout -k 5 900 $as_nobody bwrap --unshare-all --die-with-parent --new-session --clearenv --ro-bind /usr /usr \
        --symlink usr/bin /bin --symlink usr/sbin /sbin --symlink usr/lib /lib --symlink usr/lib64 /lib64 --ro-bind-try /etc/ld.so.cache /etc/ld.so.cache \
        --ro-bind-try /etc/alternatives /etc/alternatives --proc /proc --dev /dev --tmpfs /tmp --bind "$course" /course --chdir /course \
        --setenv PATH /usr/bin:/bin --setenv LC_ALL C.UTF-8 --setenv HOME /tmp sh -c "$1") </dev/null
}
in_sandbox true 2>/dev/null || refuse "a sandbox cannot be made here" "make doctor says how to get one; foreign code is tried nowhere else"
echo "Building $lesson and running its checks, in a sandbox ..."
in_sandbox "make -s BUILD=$build all" >"$stage/said" 2>&1 || {
    tail -n 15 "$stage/said" | tr -cd '\11\12\40-\176'
    refuse "$file: the lesson does not build" "ask its author"
}
odd=$(nm -u "$course/$build/obj/lessons/$lesson/judge.o" | awk '{ print $2 }' |
    grep -vxE 'judge_[a-z_]+|arena_[a-z_]+|mem(cpy|set|move|cmp)|str(cmp|ncmp|len)|qsort|(sqrt|cbrt|pow|exp|exp2|log|log2|log10|sin|cos|tan|asin|acos|atan|atan2|sinh|cosh|tanh|erf|tgamma|lgamma|fabs|floor|ceil|round|trunc|fmin|fmax|fma|fmod|ldexp|hypot|lround|llround|nearbyint|rint)f?|__stack_chk_fail|_GLOBAL_OFFSET_TABLE_' | paste -sd' ') || true
[ -z "$odd" ] || refuse "$file: its judge calls what no judge needs: $odd" "a judge calls judge.h and the mathematics of C: do not use it, or have its author change it"
in_sandbox "BUILD=$build sh authoring/check-lesson.sh $lesson" >"$stage/said" 2>&1 || {
    tr -cd '\11\12\40-\176' <"$stage/said" | tail -n 40
    refuse "$file: the lesson does not pass its checks" "ask its author"
}

# ---- into the course ----

put .
enter_in_lists "$number" "$name" "$(sed -n 's/^summary: *//p' "$stage/new/lesson/lesson.yaml" | tr -cd 'A-Za-z0-9 ,.:;()+-' | head -c 100)"
cat <<END
$lesson is there, and passed its checks. By: $(sed -n 's/^author: *//p' "$stage/new/lesson/lesson.yaml" | tr -cd 'A-Za-z0-9 .-' | head -c 60)
lessons/$lesson/judge.c becomes part of the judge with the next make: read it ($(wc -l <"$stage/new/lesson/judge.c") lines) before you grade with it.
END
