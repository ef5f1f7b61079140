#!/bin/sh
# The question bank: questions.sh FOLDER writes the questions of all lessons, those that the pages ask (Predict) and those of lessons/NN-name/questions.md,
# for Moodle (moodle.xml), as GIFT (questions.gift) and as a package of QTI 2.1 (qti.zip), with a category or a part of the name for each lesson.
# `make questions` calls it. A question that lacks a right choice or an explanation is an error.
set -eu
here=$(dirname "$0")
. "$here/../../docs/build/facts.sh"
out=$1
rm -rf "$out" && mkdir -p "$out/qti"
export QUESTIONS="$out"

# One lesson: a file of questions after the other. The numbers of a lesson's questions go on from file to file.
lesson_questions() {
    for file in "lessons/$LESSON/lesson.md" "lessons/$LESSON/questions.md"; do
        [ -f "$file" ] || continue
        WRITTEN=$(tail -n 1 "$out/count") pandoc --from markdown --to plain --lua-filter "$here/questions.lua" "$file" -o /dev/null
    done
    printf '%s %s\n' "$(tail -n 1 "$out/count")" "$LESSON" >>"$out/lessons"
}

manifest() {
    cat <<'XML'
<?xml version="1.0" encoding="UTF-8"?>
<manifest xmlns="http://www.imsglobal.org/xsd/imscp_v1p1" identifier="warpschool-questions">
<metadata><schema>QTIv2.1 Package</schema><schemaversion>1.0.0</schemaversion></metadata>
<organizations/>
<resources>
XML
    for item in "$out"/qti/q*.xml; do
        name=$(basename "$item" .xml)
        printf '<resource identifier="%s" type="imsqti_item_xmlv2p1" href="%s.xml"><file href="%s.xml"/></resource>\n' "$name" "$name" "$name"
    done
    printf '</resources>\n</manifest>\n'
}

printf '<?xml version="1.0" encoding="UTF-8"?>\n<quiz>\n' >"$out/moodle.xml"
for LESSON in $(cd lessons && ls -d [0-9]*); do
    [ -f "lessons/$LESSON/lesson.md" ] || continue
    TITLE=$(title_of "$LESSON")
    export LESSON TITLE
    # No title has a character that XML or GIFT gives a meaning to.
    printf '<question type="category"><category><text>$course$/Warpschool/%s %s</text></category></question>\n' "${LESSON%%-*}" "$TITLE" >>"$out/moodle.xml"
    # shellcheck disable=SC2016
    printf '$CATEGORY: $course$/Warpschool/%s %s\n\n' "${LESSON%%-*}" "$TITLE" >>"$out/questions.gift"
    echo 0 >"$out/count"
    lesson_questions
done
printf '</quiz>\n' >>"$out/moodle.xml"
manifest >"$out/qti/imsmanifest.xml"
(cd "$out/qti" && TZ=UTC find . -name '*.xml' -exec touch -d 2000-01-01 {} + && zip -q -X -D ../qti.zip imsmanifest.xml q*.xml)
rm "$out/count"
awk '{ n += $1 } END { print "questions: " n " of " NR " lessons" }' "$out/lessons"
