# fill.awk - fills in a template of a new lesson. VALUES in the environment has lines NAME=VALUE, and each VALUE takes the place of @NAME@; @CHECK@ on a
# line of its own is the file `check`, and `@part NAME@` what stands under [NAME] in the file `parts`.
function read_part(name,    line, found) {
    while ((getline line <parts) > 0) {
        if (line ~ /^\[[a-z]+\]$/) found = line == "[" name "]"
        else if (found) filled(line)
    }
    close(parts)
}
function read_check(    line) {
    while ((getline line <check) > 0) print line
    close(check)
}
function filled(line,    i, name) {
    for (name in value)
        while ((i = index(line, "@" name "@")) > 0) line = substr(line, 1, i - 1) value[name] substr(line, i + length(name) + 2)
    print line
}
BEGIN {
    count = split(ENVIRON["VALUES"], rows, "\n")
    for (i = 1; i <= count; i++) {
        at = index(rows[i], "=")
        if (at > 0) value[substr(rows[i], 1, at - 1)] = substr(rows[i], at + 1)
    }
}
/^@CHECK@$/ { read_check(); next }
/^@part [a-z]+@$/ { split($2, name, "@"); read_part(name[1]); next }
{ filled($0) }
