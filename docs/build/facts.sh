# facts.sh - what scripts that make pages ask of a lesson: sourced, in the folder of the course.

title_of() { # lesson
    sed -n 's/^# //p' "lessons/$1/lesson.md" | head -n 1
}

minutes_of() { # lesson, read or do
    sed -n "s/^minutes:.*[{ ]$2: *\([0-9]*\).*/\1/p" "lessons/$1/lesson.yaml"
}
