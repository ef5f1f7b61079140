# class-page.awk - a lesson.md as students get it: what it shows of mutants stands in it, since they get no mutants, and what it shows of the
# solution is left to the teacher. Run in the root of the tree; its report blocks stay, and class-copy.sh brings the reports.

function fail(message) {
    print FILENAME ":" FNR ": " message >"/dev/stderr"
    failed = 1
    exit 1
}

# The value of NAME="..." in the line that opens a block.
function attribute(name,   text) {
    if (!match($0, name "=\"[^\"]*\"")) return ""
    text = substr($0, RSTART, RLENGTH)
    return substr(text, length(name) + 3, length(text) - length(name) - 3)
}

function without_margin(line) {
    sub(/[ \t]*\/\/ (expect|expect-note|also|near|says|told): .*/, "", line)
    return line
}

# The lines between "// [NAME]" and "// [/NAME]", but for marks, moved to the left together.
function print_region(path, name,   line, inside, count, lines, i, indent, margin) {
    margin = 1000
    while ((getline line < path) > 0) {
        if (line ~ "^[ \t]*//[ \t]*\\[" name "\\][ \t]*$") { inside = 1; continue }
        if (line ~ "^[ \t]*//[ \t]*\\[/" name "\\][ \t]*$") inside = 0
        if (!inside || line ~ /^[ \t]*\/\/[ \t]*\[\/?[a-zA-Z0-9-]+\][ \t]*$/ || line ~ /^[ \t]*\/\/ (>>>|<<<)/ || line ~ /^[ \t]*\/\/\+/) continue
        lines[++count] = without_margin(line)
        match(lines[count], /^ */)
        if (lines[count] ~ /[^ ]/ && RLENGTH < margin) margin = RLENGTH
    }
    close(path)
    if (count == 0) fail(path " has no region [" name "]")
    print "```{.cuda}"
    for (i = 1; i <= count; i++) print substr(lines[i], margin + 1)
    print "```"
}

/^```.*include="/ {
    path = attribute("include")
    if (path ~ /\/solution\.cu$/) {
        if (!told) print "Your teacher shows one when everybody has handed in."
        told = 1
    } else {
        print_region(path, attribute("region"))
    }
    skipping = 1
    next
}
skipping { if (/^```$/) skipping = 0; next }
/^:::/ { told = 0 }
{ print }
END { if (failed) exit 1 }
