#!/bin/bash
# The built site: every internal link and picture resolves, pages are not empty, and they read well without a picture, a script or a
# mouse: one title, headings in order, names that are used once, what is wider than a phone can be reached with the keyboard (pages.py). Each kind of
# finding has its page, each page the list of all lessons. What only a browser can see is tests/browser's.
# Ends with "N passed, N failed".
. "$(dirname "$0")/../../warpgrind/tests/suite.bash"
site=$build/site

lessons=$(cd lessons && ls -d [0-9]*)
# shellcheck disable=SC2086 # lessons are words
python3 tests/site/pages.py "$site" $lessons >"$work/pages" || { echo "FAILED pages.py: exit status $?"; failed=$((failed + 1)); }
while IFS=$'\t' read -r name problem; do verdict "$name" "$problem"; done <"$work/pages"
for page in index.html lessons/09-constant-and-device.html findings/hang.html; do
    holds "$page has a description and an icon" "$(grep -q '<meta name="description" content="[^"]' "$site/$page" &&
        [ -f "$site/$(dirname "$page")/$(sed -n 's/.*<link rel="icon" href="\([^"]*\)".*/\1/p' "$site/$page")" ]; echo $?)"
done
holds "a lesson's description is its summary" "$(grep -q 'name="description" content="Lesson 09 of a CUDA C course: coefficients' "$site/lessons/09-constant-and-device.html"; echo $?)"
holds "the list of findings has its errors and its notes" "$(grep -q '>Errors</h2>' "$site/findings/index.html" && grep -q '>Notes</h2>' "$site/findings/index.html"; echo $?)"
holds "the search finds the cells of a table as words of their own" "$(grep -q '"url": "findings/index.html#notes".* uncoalesced .*' "$site/search-data.js"; echo $?)"
holds "words in angled brackets are not lost" "$(grep -q '&lt;angled&gt;' "$site/docs/strangers.html"; echo $?)"
# A bar in a table is written with a backslash, which belongs to the table and not to the code.
holds "the instructions show their bars plainly" "$(grep -qF 'p{|q}' "$site/docs/ptx.html"; echo $?)"
holds "the attacks show the compiler's own names" "$(grep -qF '<code>__FILE__</code>' "$site/docs/attacks.html"; echo $?)"
for kind in $(sed -n 's/^FINDING([A-Z_]*, *"\([a-z-]*\)".*/\1/p' warpgrind/base/findings.def); do
    page=$site/findings/$kind.html
    holds "$kind has a page that is listed" "$(grep -qF "href=\"$kind.html\"" "$site/findings/index.html" && [ -f "$page" ]; echo $?)"
    report=$(tr '\n' ' ' <"$page" | grep -oE '<pre class="report".*</pre>')
    holds "$kind's page says nothing that is for the tests" "$(! grep -qE '// (expect|expect-note|also|near|says): ' "$page"; echo $?)"
    holds "$kind's report has a line for each finding" "$(! grep -qE ', line [0-9]+: .*, line [0-9]+: ' "$page"; echo $?)"
    # A timeout's report would take its whole limit.
    [ "$kind" = timeout ] || holds "$kind's page shows a report that names it" "$(grep -q "$kind" <<<"$report"; echo $?)"
    holds "$kind's page shows what is wrong and right" "$(grep -qE '<strong>(Wrong|Slow)</strong>' "$page" && grep -qE '<strong>(Right|Fast)</strong>' "$page"; echo $?)"
done
size=$(du -sb "$site" | cut -f1) most=$((400000 * $(wc -w <<<"$lessons")))
holds "the site has less than 400 kB for each lesson ($size bytes)" "$([ "$size" -lt $most ]; echo $?)"

# A line joins what lies on a line: numbers of elements, and not shapes such as 64 x 1,048,583 and 1,048,583 x 64.
holds "a chart over numbers has lines" "$(grep -q '<svg class="chart".*class="run"' "$site/lessons/12-grid-sum-atomic.html"; echo $?)"
holds "a chart of more versions than there are colours begins again, in dashes" "$(grep '<svg class="chart"' "$site/lessons/30-async-copy.html" | grep -q 'class="s1 again"' &&
    ! grep -qE 'class="s(9|[1-9][0-9])[ "]' "$site"/lessons/*.html; echo $?)"
holds "a chart over shapes has marks alone" "$(grep '<svg class="chart"' "$site/lessons/05-matrix-2d.html" | grep -q 'class="s1"><circle' && ! grep -q 'class="run"' "$site/lessons/05-matrix-2d.html"; echo $?)"

# What a page marks as code: WORDS, as the page has them, in the text of PAGE. A line break counts as a space.
marks() { # page, HTML
    holds "$1 has $2" "$(tr '\n' ' ' <"$site/$1" | grep -qF -- "$2"; echo $?)"
}
marks lessons/07-block-sum-dynamic.html '<span class="kw">__shared__</span>'
marks lessons/01-vector-add.html '<span class="va">threadIdx</span>'
marks lessons/07-block-sum-dynamic.html '<span class="fu">__syncthreads</span>'
marks lessons/01-vector-add.html '<span class="fu">cudaMalloc</span>'
marks lessons/08-block-sum-static.html '<span class="cf">&lt;&lt;&lt;</span>'
marks docs/sheet.html '<span class="kw">__global__</span>'
# Explanations and hints are written for a terminal.
marks findings/not-on-gpu.html 'launched with <code>&lt;&lt;&lt;blocks, threads&gt;&gt;&gt;</code>'
marks findings/invalid-launch.html 'between <code>&lt;&lt;&lt;</code> and <code>&gt;&gt;&gt;</code>'
marks findings/out-of-bounds.html '<code>cudaMalloc(&amp;d_a, n)</code> where <code>n * sizeof(float)</code> bytes'
marks findings/barrier-divergence.html 'the same <code>__syncthreads()</code></span>'
# An option is one word, which no line breaks behind its hyphen, in a table and in a sentence.
marks lessons/28-find-the-bug.html '<code>memcheck <span class="option">--leak-check</span> full</code>'
marks docs/tiles.html '<code>nvcc <span class="option">-enable-tile</span> <span class="option">-std=c++20</span> <span class="option">-arch=sm_90</span></code>'
marks lessons/20-peak-bandwidth.html '<code>(uintptr_t)d_in % 16</code>'
marks lessons/29-cooperative-groups.html '<code>tile.shfl_down</code> in place of'
for lesson in $lessons; do
    hint=$(tr '\n' ' ' <"$site/lessons/$lesson.html" | sed 's/.*<summary>Hint 3//; s,</details>.*,,')
    holds "$lesson's third hint shows its code as code" "$(grep -q '<pre class="sourceCode cuda"' <<<"$hint" && ! grep -q '<strong>' <<<"$hint"; echo $?)"
done
# What a page says of a report, from the report to the next heading: "MUTANT<tab>prose" a line.
said() { # lesson.md
    awk '
    function finish() { if (mutant != "") print mutant "\t" prose; mutant = prose = "" }
    /^```\{\.report/ { finish(); mutant = $0; gsub(/.*mutant="|".*/, "", mutant); next }
    /^## / { finish() }
    mutant != "" { prose = prose " " $0 }
    END { finish() }' "$1"
}

# How many cases a page says are right: `Six *cases* are right`.
numbers=(no one two three four five six seven eight nine)
right_by() { # prose
    local word
    word=$(sed -nE 's/.*\b(One|Two|Three|Four|Five|Six|Seven|Eight|Nine) \*?cases?\*? (is|are) (right|ticked).*/\L\1/p' <<<"$1")
    for i in "${!numbers[@]}"; do [ "${numbers[i]}" != "$word" ] || echo "$i"; done
}

# The pages claim what the reports show: ticks, threads, a note that comes first, and sums that are not a number.
for page in lessons/[0-9]*/lesson.md; do
    lesson=$(basename "$(dirname "$page")")
    while IFS=$'\t' read -r mutant prose; do
        report=$build/site-data/$lesson/$mutant.txt
        crosses=$(grep -c '^  ✗' "$report") nans=$(grep -cE '^  (✗|    ).* nan ' "$report")
        claim=$(grep -oiE '\<(every|all|each) \*?cases?\*? (is|are) (ticked|right)|no \*case\* fails|in every \*case\* the sum is right' <<<"$prose")
        holds "$lesson says \"$claim\" of $mutant, where $crosses cases are crossed" "$([ -z "$claim" ] || [ "$crosses" -eq 0 ]; echo $?)"
        ticks=$(grep -c '^  ✓' "$report") counted=$(right_by "$prose")
        holds "$lesson says that ${counted:-some} cases of $mutant are right, of which $ticks are ticked" "$([ -z "$counted" ] || [ "$counted" -eq "$ticks" ]; echo $?)"
        for threads in $(grep -oE 'threads [0-9]+ and [0-9]+' <<<"$prose" | tr ' ' _); do
            holds "$lesson names threads that the report of $mutant names: ${threads//_/ }" "$(grep -q "${threads//_/ } " "$report"; echo $?)"
        done
        first=$(grep -m 1 -E '^[a-z-]+( \(a note\))?: ' "$report")
        holds "$lesson says of $mutant's first finding whether it is a note" "$(! grep -q 'first finding is a note' <<<"$prose" || [[ $first == *'(a note): '* ]]; echo $?)"
        holds "$lesson explains the nan of $mutant, and only that" \
            "$([ "$(grep -c '`nan`' <<<"$prose")" -eq "$((nans > 0))" ]; echo $?)"
    done < <(said "$page")
done
# A page shows what its reader sees, whose check makes no picture.
for mutant in 03-grid-stride/stride-of-a-block 07-block-sum-dynamic/missing-barrier; do
    COLUMNS=80 NO_COLOR=1 LC_ALL=C.UTF-8 "$build/bin/warpschool" check "${mutant%/*}" "solutions/${mutant%/*}/mutants/${mutant#*/}.cu" >"$work/plain" 2>&1
    holds "the report of $mutant is what a check says that makes no picture" "$(cmp -s "$work/plain" "$build/site-data/$mutant.txt"; echo $?)"
done
# A table of the reader's own card, where make time has made one; else the command that makes it.
own=$(mktemp -d)
for part in lessons autograder docs; do ln -s "$PWD/$part" "$own/"; done
measured() {
    printf '```{.gpu-table}\n```\n' | (cd "$own" && LESSON=07-block-sum-dynamic SITE_DATA=. pandoc --wrap=none --lua-filter docs/build/lesson.lua -t plain)
}
holds "without a table of the reader's card the page says how to make one" "$([[ $(measured) == *'make time LESSON=07 measures this for your file'* ]]; echo $?)"
mkdir -p "$own/work/cards"
printf '# Measured on one RTX 4060.\nversion,threads,time (us)\nsolution,32,7.1\nyours,32,9.4\n' >"$own/work/cards/07-block-sum-dynamic.csv"
holds "a table of the reader's card stands behind the course's" "$([[ $(measured) == *'NVIDIA H200 with CUDA'*'that these pages were made on'*yours*9.4*'on one RTX 4060.'* ]]; echo $?)"
rm -r "$own"
holds "the site has a page for each lesson" "$([ "$(ls "$site"/lessons/*.html | wc -l)" -eq "$(ls -d lessons/[0-9]* | wc -l)" ]; echo $?)"
finish
