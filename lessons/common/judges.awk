# judges.awk - makes the table of judges, of all lessons/NN-name/judge.c. A file that does not define the judge of its folder is left out, and said with its
# line and what to write there: a lesson in the making must not take the others with it.

function id_of(path,   id) {
    id = path
    sub(/\/judge\.c$/, "", id)
    sub(/.*\//, "", id)
    gsub(/-/, "_", id)
    return "judge_" id
}

function end_file() {
    if (file == "") return
    if (!defined && other != "")
        printf "%s:%d: `%s` is the judge of another folder; this one's is `%s`\n  remedy: rename it, and .lesson below it; the lesson is left out until then\n", file, line, other, id > "/dev/stderr"
    else if (!defined)
        printf "%s:1: no judge is defined here\n  remedy: end the file with `const Judge %s = {...};`, as autograder/judge.h says; the lesson is left out until then\n", file, id > "/dev/stderr"
    else if (lesson != "" && lesson != folder)
        printf "%s:%d: the judge says that it is of \"%s\"\n  remedy: write .lesson = \"%s\"; the lesson is left out until then\n", file, lesson_line, lesson, folder > "/dev/stderr"
    else
        ids[++count] = id
}

FNR == 1 {
    end_file()
    file = FILENAME
    folder = file
    sub(/\/judge\.c$/, "", folder)
    sub(/.*\//, "", folder)
    id = id_of(file)
    defined = line = lesson_line = 0
    other = lesson = ""
}
/^const Judge judge_[a-zA-Z0-9_]* *=/ {
    name = $3
    sub(/=.*/, "", name)
    if (name == id) defined = 1
    else { other = name; line = FNR }
}
/^    \.lesson = "/ {
    lesson = $0
    sub(/^[^"]*"/, "", lesson)
    sub(/".*/, "", lesson)
    lesson_line = FNR
}

END {
    end_file()
    print "/* Made from the folders lessons/NN-name. */"
    print "#include \"lessons/judges.h\""
    for (i = 1; i <= count; i++) print "extern const Judge " ids[i] ";"
    print "const Judge *const lessons_judges[] = {"
    for (i = 1; i <= count; i++) print "    &" ids[i] ","
    print "    NULL};"
}
