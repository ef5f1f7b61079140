# options.awk - a manual page: the template PAGE, with the options that the program's --help (the standard input) lists in place of the line
# @OPTIONS@. An option is a line that begins with two to six spaces and a dash; two spaces or more end its name. So is a command, for a program whose
# help lists commands (KIND=commands): two spaces, its name, and operands in capitals or brackets.
function escaped(text) {
    gsub(/\\/, "\\e", text)
    gsub(/-/, "\\-", text)
    return text
}
KIND == "commands" && match($0, /^  [a-z][a-z-]*( [[A-Z][][A-Z. ]*)? /) {
    name = substr($0, 3, RLENGTH - 2)
    words = substr($0, RLENGTH + 1)
    sub(/ +$/, "", name)
    sub(/^ +/, "", words)
    options = options sprintf(".TP\n.B %s\n%s\n", escaped(name), escaped(words))
    next
}
/^ +-/ {
    line = $0
    sub(/^ +/, "", line)
    cut = match(line, /  +[^ ]/)
    name = cut ? substr(line, 1, cut - 1) : line
    words = line
    sub(/^[^ ]+( [^ ]+)*  +/, "", words)
    if (!cut) { cut = match(line, / [a-z]/); name = substr(line, 1, cut - 1); words = substr(line, cut + 1) }
    options = options sprintf(".TP\n.B %s\n%s\n", escaped(name), escaped(words))
}
END {
    if (!options) { print page ": no option was listed" > "/dev/stderr"; exit 1 }
    while ((getline line < page) > 0) {
        if (line == "@OPTIONS@") printf "%s", options
        else print line
    }
}
