"""pages.py SITE LESSON... - what each page of the built site must be. Prints a line for each case: its name, a tab, and what is wrong, or nothing.

Each page is read once. A line break counts as a space, except where a report's lines are looked at."""
import re
import sys
from functools import cache
from pathlib import Path

site, lessons = Path(sys.argv[1]), sys.argv[2:]


def case(name, problems):
    """A problem is True, or a text; several are told together."""
    told = ["it is not so" if problem is True else problem for problem in problems if problem]
    print(name, " ".join(told).replace("\t", " ").replace("\n", " "), sep="\t")


@cache
def text_of(file):
    return file.read_bytes().decode("utf-8", "replace").replace("\n", " ")


@cache
def places_in(file):
    return set(re.findall(r'id="([^"]*)"', text_of(file)))


def is_broken(link, page):
    target, _, fragment = link.partition("#")
    file = page.parent / target if target else page
    return not file.exists() or (fragment and fragment not in places_in(file))


def broken_links(page):
    links = set(re.findall(r'(?:href|src)="([^"]+)"', text_of(page)))
    return sorted(link for link in links if not re.match("https?:|mailto:", link) and is_broken(link, page))


def is_text(page):
    try:
        return "\ufffd" not in page.read_bytes().decode("utf-8")
    except UnicodeDecodeError:
        return False


def has_wrapped_report(page):
    """A line of a report that goes on in the next one, but where the page shows what is computed by hand. A sentence of an advice ends in a
    point, or in a colon above what it is about, and begins below the place."""
    lines, by_hand, unfinished = page.read_bytes().decode("utf-8", "replace").split("\n"), False, False
    for line in lines:
        said = re.match(r'(?:</span>)?<span style="[^"]*">  [a-zA-Z_]', line)
        if by_hand or ">  By hand, " in line:
            by_hand = ">      your program: " not in line
        elif re.match(r'(?:</span>)?<span style="[^"]*">    +[a-z(]', line) or (unfinished and said) or (said and re.search(r">  [^ ]+\.cu [A-Z]", line)):
            return True
        unfinished = said and re.search(r"[a-z]{3}$", line) and " " in line.split(">  ", 1)[-1] and not re.match(r'.*>  (?:[^a-zA-Z]|[a-z-]+, line )', line)
    return False


def repeated(found):
    return sorted({each for each in found if found.count(each) > 1})


def count_of(pattern, text):
    return len(re.findall(pattern, text))


def look_at_outline(name, text):
    order = "".join(re.findall(r"<h([1-6])[ >]", text))
    case(f"{name} has one title, and it comes first (headings {order})", [not re.fullmatch("1[2-6]*", order)])
    case(f"{name} leaves out no level of headings ({order})", [re.search("1[3-6]|2[4-6]|3[56]", order) is not None])
    case(f"{name} uses each id once", repeated(re.findall(r' id="([^"]+)"', text)))


def look_at_scripts(name, text):
    # The scripts are the site's own, and come after the text.
    rest = re.sub(r'<script src="(?:\.\./)?(?:site|lunr|search-data|progress)\.js" defer[^>]*></script>', "", text)
    case(f"{name} works without a script", re.findall(r'<script|[ "]on[a-z]+="', rest, re.IGNORECASE))
    case(f"{name} asks nobody else for anything", re.findall(r'(?:src|<link[^>]*href|action)="(?:https?:)?//', text))


def look_at_ways(name, text):
    led_to = set(re.findall(r'href="[^"]*?([^"/]*)\.html"', text))
    case(f"{name} leads to all lessons", [lesson for lesson in lessons if lesson not in led_to])
    case(f"{name} says its language and lets readers skip to the content", ['<html lang="en">' not in text or 'href="#content"' not in text])
    wide, reached = count_of("<table|<figure>", text), count_of(r'<div class="scroll" tabindex="0"[^>]*> *<(?:table|figure>)', text)
    case(f"{name} lets the keyboard scroll its tables and figures ({reached} of {wide})", [wide != reached])
    case(f"{name} has folds that open and close", [text.count("<details>") != text.count("</details>")])
    steps = count_of(r'<div class="excerpt">\s*<div class="scroll"', text)
    case(f"{name} has steps beside each picture of a run", [text.count('<div class="excerpt">') != steps])
    case(f"{name} has a text alternative for each picture", [img for img in re.findall("<img[^>]*>", text) if not re.search('alt="[^"]+"', img)])


def look_at(page):
    name, text = str(page.relative_to(site)), text_of(page)
    case(f"{name} has no broken links", broken_links(page))
    case(f"{name} has a main part", ["<main" not in text or page.stat().st_size <= 1500])
    case(f"{name} is UTF-8, and no character got lost", [not is_text(page)])
    case(f"{name} leaves it to the reader's window where a report's lines end", [has_wrapped_report(page)])
    look_at_outline(name, text)
    look_at_scripts(name, text)
    look_at_ways(name, text)


def look_at_reference(page):
    name, text = str(page.relative_to(site)), text_of(page)
    case(f"{name} has one main part and one title, and no script",
         [text.count("<main") != 1 or text.count("<h1") != 1 or re.search(r'<script| on[a-z]+="', text) is not None])


for folder, least, look in ((".", 2, look_at), ("lessons", 1, look_at), ("docs", 1, look_at), ("findings", 1, look_at), ("reference", 11, look_at_reference)):
    pages = sorted((site / folder).glob("*.html"))
    case(f"index.html is not alone: {folder} has its pages", [] if len(pages) >= least else [f"there are {len(pages)}"])
    for page in pages:
        look(page)
