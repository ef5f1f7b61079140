#!/bin/sh
# Makes the picture of a mutant's run small enough for a lesson's page: PICTURE is rewritten in place. Of the blocks those stay that the page can
# hold, first the one with the mistake; of their steps the first ones, at least up to the mistake. What is left out is counted with what the recorder
# left out. Where no step is about a finding or costs four times what it must, or nothing below 115 KB shows that step, PICTURE is removed. What the margins say for the
# tests is taken out of the source, whose lines keep their numbers.
set -eu
picture=$1
most=115000
data=$(mktemp) cut=$(mktemp)
trap 'rm -f "$data" "$cut"' EXIT

record() { sed -n '/<script type="application\/json" id="data">/,/<\/script>/{//d;p}' "$1"; }

# The steps that a picture is made for, as a list.
telling='[.steps[] | select((.[-1] | length > 0) or (.[0] | IN("r", "w", "a")) and .[5] >= 4 * .[6])]'

keep() { # how many blocks, how many steps of each
    jq -c --argjson blocks "$1" --argjson steps "$2" "$telling"' as $told |
        [.findings | to_entries[] | select(.value.severity == "error") | .key] as $errors
        | (first($told[] | select(any(.[-1][]; . as $n | $errors | index($n)))) // $told[0]) as $mistake
        | ([$mistake[1]] + [range(.blocks | length) | select(. != $mistake[1])])[:$blocks] as $kept
        | .steps as $all
        | [$kept | to_entries[] | .key as $new | .value as $old | [$all[] | select(.[1] == $old)]
            | (if $new == 0 then ([index([$mistake]), 0] | max) + 8 else 0 end) as $needed
            | .[:([$needed, $steps] | max)][] | .[1] = $new] as $shown
        | .left_out.steps += ([$all[] | select(.[1] as $b | $kept | index($b))] | length) - ($shown | length)
        | .left_out.blocks += (.blocks | length) - ($kept | length)
        | .blocks = [.blocks[$kept[]]] | .steps = $shown' "$data" | sed 's/</\\u003c/g'
}

replace() { # the record of PICTURE, by the file $1
    sed -n -e "/<script type=\"application\/json\" id=\"data\">/{p;r $1" -e ':skip' -e 'n;/<\/script>/!b skip' -e '}' -e p "$picture"
}

sed -i -E 's/,"again":\{"words":.*"variables":(true|false)\}//' "$picture" # readers of the page have another folder
sed -i -E 's, *// expect: [a-z-]+,,g; s,(\\n) *// \[/?[a-z-]+\],\1,g' "$picture"
record "$picture" >"$data"
if jq -e "$telling | length > 0" "$data" >/dev/null; then
    for size in '6 1200' '3 200' '2 120' '1 120' '1 1'; do
        if [ "$(wc -c <"$picture")" -lt "$most" ]; then exit 0; fi
        keep $size >"$cut"
        replace "$cut" >"$data.page"
        mv "$data.page" "$picture"
    done
    if [ "$(wc -c <"$picture")" -lt "$most" ]; then exit 0; fi
fi
rm -f "$picture"
