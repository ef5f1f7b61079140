# limited.bash - submissions that end by their time limit, which need not be the lesson's ten seconds. Sourced after suite.bash.

# root_with SECONDS: the course, whose lessons give programs so many seconds; without a number the course as it is.
root_with() {
    local root=$work/course-of-$1
    [ -n "$1" ] || root=$PWD
    if [ ! -d "$root" ]; then
        mkdir "$root" && cp -r lessons "$root" && ln -s "$PWD/solutions" "$PWD/starter" "$root"
        sed -i -E "/^limits:/s/seconds: [0-9]+/seconds: $1/" "$root"/lessons/*/lesson.yaml
    fi
    echo "$root"
}

# What a check may cost in seconds of the processor: the limits' ten twice, compilers and the grader, on a machine of a third of the usual speed.
# It guards against what never ends, and measures nothing.
most_spent=90

# overspent COSTS: the words for what the check cost that is more, as costs left it; nothing for less.
overspent() {
    local spent
    spent=$(tail -n 1 "$1")
    [ $((spent)) -le $most_spent ] || echo "; took more than $most_spent s of processor time: $spent"
}
