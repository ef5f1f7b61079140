#!/bin/sh
# Builds the reference into $1/reference with Doxygen, and the list of its names, by which the site's search finds them, into $2. Any warning of
# Doxygen ends the build. What its pages have beyond text and links is taken out: scripts, lists by letter that no menu leads to, pictures of
# its own menu; and what they lack is put in: a main part, one title, headings in order.
set -eu
site=$1 data=$2
rm -rf "$site/reference" && mkdir -p "$site/reference" "$data"
tag=$(realpath "$data")/reference.tag
log=$(mktemp)
trap 'rm -f "$log"' EXIT

{ cat docs/Doxyfile; echo "OUTPUT_DIRECTORY = $site"; echo 'HTML_OUTPUT = reference'; echo "GENERATE_TAGFILE = $tag"; } |
    doxygen -q - >"$log" 2>&1 && [ ! -s "$log" ] || { cat "$log" >&2; exit 1; }

cd "$site/reference"
rm -f globals*.html functions*.html *.js *.png doxygen.* tabs.css
# Names of places in a page have 32 digits for each part; eight are enough.
short='s/\ba([0-9a-f]{8})[0-9a-f]{24}(a([0-9a-f]{8})[0-9a-f]{24})?\b/a\1\3/g'
sed -Ei "$short" "$tag"
sed -Ei -e "$short" -e '/^<tr class="separator/d' \
    -e 's/ (onclick|target|align|valign)="[^"]*"//g' -e '/<div class="levels">/s,<div class="levels">.*</div><table,<table,' \
    -e 's,<span( id="[^"]*")? class="(arrow|icona|icondoc|iconfopen|iconfclosed)">(<span class="icon">.</span>|[^<]*)</span>,,g' -e 's,<span class="permalink"><a [^>]*>[^<]*</a></span>,,g' \
    -e 's,<div class="fragment">,<div class="fragment" tabindex="0" role="group" aria-label="Code">,; s, cellpadding="0" cellspacing="0",,g' \
    -e 's,(</?)h1([ >]),\1h2\2,g' -e 's,<div class="title">(.*)</div></div>,<h1 class="title">\1</h1></div>,' \
    -e 's,^<div>(<div class="header">),\1,; s,^</div></div><!-- PageDoc -->,</div>,' \
    -e 's,^<div class="header">,<main id="content">&,; s,^</div><!-- contents -->,</div></main>,' -e '/<address class="footer">/,/<\/address>/d' -- *.html
