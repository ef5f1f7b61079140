# texts.awk - makes C of a file of texts: the facts and texts of each section as a header (-v part=.h), or their
# tables (-v part=.inc). -v name=check names the list of all sections, -v types=check/findings/words.h the header of the types of places.
#
# A file of texts is written like this:
#
#     # a comment
#     [leak]                            a section: all that can be said about one set of facts
#       bytes    count                  a place, and its type (say.h)
#       name     name
#     MESSAGE                           a text; in C it is LEAK_MESSAGE
#         {bytes:byte|bytes} of {name} were never freed
#     WHY                               a text with variants: the first whose condition holds is said
#       name !bytes:                    all these places are true (!: not)
#           Words for that case, in lines that are joined by a blank.
#       otherwise:
#           Free them.
#
# Between braces: {place} its value; {place?then|else} by whether it is true; {count:one|many} the number and its noun; {count~one|many}
# only the word; {TEXT} another text of the section; { } a blank where a text begins or ends with one. Braces may hold braces.
#
# In C the section has a struct LeakFacts, an enum LeakText, say_leak(out, LEAK_WHY, &facts), told_leak(arena, LEAK_WHY, &facts) and
# said_leak(LEAK_MESSAGE, LEAK_WHY, &facts); with the facts at the same place SAID_LEAK(NAME, .bytes = n), which is NAME_MESSAGE and
# NAME_WHY, and TOLD_LEAK(WHY, arena, .bytes = n). plain_leak(LEAK_WHY) is a text that names no place, as a string; a section without
# places has nothing but that.

function fail(text) { printf "%s:%d: %s\n", FILENAME, FNR, text > "/dev/stderr"; bad = 1 }
function camel(word, parts, n, i, all) {
    n = split(word, parts, "_")
    for (i = 1; i <= n; i++) all = all toupper(substr(parts[i], 1, 1)) substr(parts[i], 2)
    return all
}
function quoted(text) { gsub(/\\/, "\\\\", text); gsub(/"/, "\\\"", text); return "\"" text "\"" }

# ---- reading ----

/^#/ { next }
/^$/ { next }
/^\[[a-z_]+\]$/ {
    end_row()
    section = substr($0, 2, length($0) - 2)
    if (section in seen) fail("a second section " section)
    seen[section] = ++sections; sections_name[sections] = section; text = ""
    next
}
/^[A-Z][A-Z_0-9]*$/ {
    end_row()
    text = $0
    if ((section, "text", text) in index_of) fail("a second text " text)
    index_of[section, "text", text] = ++texts[section]
    text_name[section, texts[section]] = text; text_line[section, text] = FNR
    next
}
/^  [a-z!].*:$/ && text != "" { end_row(); begin_row($0); next }
/^    / && text != "" {
    if (!in_row) begin_row("")
    words = $0; sub(/^ +/, "", words); sub(/ +$/, "", words)
    row_text = row_text (row_text == "" ? "" : " ") words
    next
}
/^  [a-z][a-z_0-9]* +[a-z]+$/ && text == "" {
    if ((section, "place", $1) in type_of) fail("a second place " $1)
    place_name[section, ++places[section]] = $1; type_of[section, "place", $1] = $2
    next
}
{ fail("neither a section, a place, a text nor a variant: " $0) }

function begin_row(when) {
    sub(/^ +/, "", when); sub(/:$/, "", when)
    if (when == "otherwise") when = ""
    in_row = 1; row_when = when; row_text = ""; row_line = FNR
    if (closed[section, text]) fail("a variant after `otherwise` is never said")
    if (when == "") closed[section, text] = 1
}
function end_row() {
    if (!in_row) return
    in_row = 0
    rows[section, text]++
    row[section, text, rows[section, text], "when"] = row_when
    row[section, text, rows[section, text], "text"] = row_text
    row[section, text, rows[section, text], "line"] = row_line
}

# ---- what a text names must be there, and the other way round ----

function check_name(name, mark) {
    if (name ~ /^[A-Z]/) {
        if (!((section, "text", name) in index_of)) fail("no text " name)
        used[section, "text", name] = 1
        return
    }
    if (!((section, "place", name) in type_of)) { fail("no place " name); return }
    used[section, "place", name] = 1
    if (mark == "?" && type_of[section, "place", name] ~ /^(number|amount|hex|real)$/) fail(name " is always true")
    if ((mark == ":" || mark == "~") && type_of[section, "place", name] != "count") fail(name " is no count")
    if (mark == "}" && type_of[section, "place", name] == "flag") fail(name " is a flag: there is nothing to print")
}
function check_row(when, words, parts, n, i) {
    n = split(when, parts, " ")
    for (i = 1; i <= n; i++) { sub(/^!/, "", parts[i]); check_name(parts[i], "?") }
    n = split(words, parts, "{")
    if (gsub(/\}/, "", words) != n - 1) fail("braces do not match: " words)
    for (i = 2; i <= n; i++) {
        if (parts[i] ~ /^ \}/) continue
        if (match(parts[i], /^[A-Za-z][A-Za-z_0-9]*[?:~}]/)) check_name(substr(parts[i], 1, RLENGTH - 1), substr(parts[i], RLENGTH, 1))
        else fail("what is {" parts[i] "?")
    }
}
function check_section(s, t, p, i) {
    section = sections_name[s]
    for (t = 1; t <= texts[section]; t++) {
        text = text_name[section, t]
        if (!rows[section, text]) fail(section ": no words for " text)
        for (i = 1; i <= rows[section, text]; i++) {
            FNR = row[section, text, i, "line"]
            check_row(row[section, text, i, "when"], row[section, text, i, "text"])
        }
    }
    for (p = 1; p <= places[section]; p++)
        if (!((section, "place", place_name[section, p]) in used)) fail(section ": no text names " place_name[section, p])
}

# ---- C ----

function enum(type, t) {
    print "typedef enum " type "Text {"
    for (t = 1; t <= texts[section]; t++) print "    " toupper(section) "_" text_name[section, t] ","
    print "} " type "Text;\nextern const SayStory texts_" section ";"
}
function plain_of(type) {
    print "static inline const char *plain_" section "(" type "Text text) {"
    print "    return say_plain(&texts_" section ", (unsigned)text);\n}\n"
}
function header(s, t, p, type) {
    section = sections_name[s]; type = camel(section)
    if (!places[section]) { enum(type); plain_of(type); return }
    print "typedef struct " type "Facts {"
    for (p = 1; p <= places[section]; p++)
        print "    Say" camel(type_of[section, "place", place_name[section, p]]) " " place_name[section, p] ";"
    print "} " type "Facts;"
    enum(type)
    print "static inline void say_" section "(Text *out, " type "Text text, const " type "Facts *facts) {"
    print "    say(out, &texts_" section ", (unsigned)text, facts);\n}"
    print "static inline Said said_" section "(" type "Text message, " type "Text why, const " type "Facts *facts) {"
    print "    return (Said){&texts_" section ", (unsigned)message, (unsigned)why, facts};\n}"
    print "static inline const char *told_" section "(Arena *arena, " type "Text text, const " type "Facts *facts) {"
    print "    return say_told(arena, &texts_" section ", (unsigned)text, facts);\n}"
    macros(toupper(section), type)
    plain_of(type)
}
function macros(upper, type) {
    print "#define SAID_" upper "(name, ...) said_" section "(" upper "_##name##_MESSAGE, " upper "_##name##_WHY, &(" type "Facts){__VA_ARGS__})"
    print "#define TOLD_" upper "(text, arena, ...) told_" section "((arena), " upper "_##text, &(" type "Facts){__VA_ARGS__})"
}
function table(s, t, p, i, at) {
    section = sections_name[s]
    print "static const SayPlace " section "_places[] = {"
    for (p = 1; p <= places[section]; p++)
        print "    {\"" place_name[section, p] "\", &say_" type_of[section, "place", place_name[section, p]] ", offsetof(" camel(section) "Facts, " place_name[section, p] ")},"
    print "    {NULL, NULL, 0}};\nstatic const SayRow " section "_rows[] = {"
    for (t = 1; t <= texts[section]; t++)
        for (i = 1; i <= rows[section, text_name[section, t]]; i++)
            print "    {\"" row[section, text_name[section, t], i, "when"] "\", " quoted(row[section, text_name[section, t], i, "text"]) "},"
    print "};\nstatic const SayText " section "_texts[] = {"
    for (t = at = 1; t <= texts[section]; t++) {
        print "    {\"" text_name[section, t] "\", " section "_rows + " at - 1 ", " rows[section, text_name[section, t]] "},"
        at += rows[section, text_name[section, t]]
    }
    print "};\nconst SayStory texts_" section " = {\"" section "\", " section "_places, " places[section] + 0 ", " section "_texts, " texts[section] "};\n"
}
END {
    end_row()
    for (s = 1; s <= sections; s++) check_section(s)
    if (bad) exit 1
    print "/* Made of " FILENAME " by base/texts.awk. */"
    if (part == ".h") print "#pragma once\n#include \"" types "\"\n"
    for (s = 1; s <= sections; s++) if (part == ".h") header(s); else table(s)
    if (part == ".h") { print "extern const SayStory *const texts_of_" name "[" sections + 1 "]; /* the last is NULL */"; exit }
    print "const SayStory *const texts_of_" name "[" sections + 1 "] = {"
    for (s = 1; s <= sections; s++) print "    &texts_" sections_name[s] ","
    print "    NULL};"
}
