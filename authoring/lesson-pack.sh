#!/bin/sh
# `make lesson-pack LESSON=...`: one file with a lesson and its solutions, for other teachers: build/lessons/NN-name.lesson. Its first line names the lesson and the
# SHA-256 of all that follows, a compressed tar archive. The lesson must pass its checks first.
set -eu
cd "$(dirname "$0")/.."
. authoring/lessons.sh
command=lesson-pack
build=${BUILD:-build}
lesson=${1:-}
[ -n "$lesson" ] || refuse "the lesson is missing" "make lesson-pack LESSON=26-halo-exchange"
for folder in lessons/"$lesson"-* lessons/"$lesson"; do [ ! -f "$folder/lesson.yaml" ] || lesson=${folder#lessons/}; done
[ -f "lessons/$lesson/lesson.yaml" ] || refuse "\`$lesson\` is no lesson" "the folders of lessons/ have their names"
stage=$(mktemp -d)
trap 'rm -rf "$stage"' EXIT

find "lessons/$lesson" "solutions/$lesson" ! -type d | LC_ALL=C sort >"$stage/files"
sed -e "s,^lessons/$lesson/,lesson/," -e "s,^solutions/$lesson/,solutions/," "$stage/files" >"$stage/names"
paste "$stage/files" "$stage/names" | while IFS="$(printf '\t')" read -r file name; do
    printf '%s\n' "$name" | LC_ALL=C grep -qxE "$packed" || refuse "$file is not a file that a lesson has" "move it out of the lesson's folders; docs/teaching.md has the list"
    [ -f "$file" ] && [ ! -L "$file" ] || refuse "$file is no file" "a lesson is packed from plain files: no links"
    mkdir -p "$stage/pack/$(dirname "$name")"
    cat "$file" >"$stage/pack/$name"
done
look_into "$stage/pack" "lessons/$lesson"
BUILD=$build sh authoring/check-lesson.sh "$lesson" >"$stage/said" || {
    cat "$stage/said"
    refuse "$lesson does not pass its checks" "make check-lesson LESSON=$lesson"
}
# The same lesson gives the same file, whoever packs it and when.
(cd "$stage/pack" && tar --format=ustar --sort=name --owner=0 --group=0 --numeric-owner --mode=0644 --mtime=@0 -cf - -T "$stage/names") | gzip -9n >"$stage/archive"
hash=$(sha256sum <"$stage/archive" | cut -d' ' -f1)
mkdir -p "$build/lessons"
pack=$build/lessons/$lesson.lesson
{ printf 'warpschool-lesson/v1 %s %s\n' "$lesson" "$hash" && cat "$stage/archive"; } >"$pack.new"
mv "$pack.new" "$pack"
cat <<END
$pack has $lesson with its solutions and hidden cases: for teachers, not for students.
Its hash, to be told to them by another way than the file:
    $hash
They add it with: make lesson-add FILE=$lesson.lesson HASH=$(printf '%s' "$hash" | cut -c1-16)
END
