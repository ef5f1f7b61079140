"""Looks for solutions in the repository of a class: leaks.py COURSE COPY prints a line for each leak.

What a learner is to write are the regions that the starter leaves out. No file of the copy may hold half of the distinctive lines of a
lesson's regions, or all of one region that has more than one. What the course itself tells is excepted: the pages' story and hints, later
starters, the explanations of findings and the README's example; of pages, those parts are looked for that the page shows from the solution.
"""
import glob
import os
import re
import sys

SHORTEST = 15  # characters of a line of code that says something
TOLD = ("lessons/*/lesson.md", "lessons/*/lesson.yaml", "starter/*.cu", "warpgrind/base/findings.def", "warpgrind/docs/example/sum.cu")


def squeezed(text):
    return re.sub(r"\s+", "", text)


def code_of(line):
    return squeezed(re.sub(r"//.*", "", line))


def regions(path):
    """The lines of code in each region that the starter leaves out."""
    found, current = [], None
    for line in open(path, encoding="utf-8"):
        if re.match(r"\s*// >>>", line):
            current = []
        elif re.match(r"\s*// <<<", line):
            found.append(current)
            current = None
        elif current is not None and len(code_of(line)) >= SHORTEST:
            current.append(code_of(line))
    return found


def texts(copy):
    for folder, _, names in os.walk(copy):
        for name in names:
            path = os.path.join(folder, name)
            try:
                yield os.path.relpath(path, copy), squeezed(open(path, encoding="utf-8").read())
            except UnicodeDecodeError:
                pass


def is_told(path):
    return any(re.fullmatch(pattern.replace(".", r"\.").replace("*", "[^/]*"), path) for pattern in TOLD)


def part(course, path, region):
    """What a page shows of a source: the region without marks and margins."""
    text = open(os.path.join(course, path), encoding="utf-8").read()
    inside = re.search(r"// \[%s\]\n(.*?)// \[/%s\]" % (region, region), text, re.S).group(1)
    lines = [re.sub(r"\s*// (expect|expect-note|also|near|says): .*", "", line) for line in inside.split("\n")]
    return squeezed("\n".join(line for line in lines if not re.match(r"\s*//( \[|\+| >>>| <<<)", line)))


def shown_of_solutions(course, page):
    """The parts of a solution on a page, but for those that the page's story shows of a mutant as well, which is wrong elsewhere."""
    shown = re.findall(r'include="([^"]*)" region="([^"]*)"', open(os.path.join(course, page), encoding="utf-8").read())
    parts = [(source, region, part(course, source, region)) for source, region in shown]
    story = "".join(text for source, _, text in parts if "/mutants/" in source)
    return [(source, region, text) for source, region, text in parts if source.endswith("/solution.cu") and text not in story]


def main(course, copy):
    solutions = {path.split("/")[-2]: regions(path) for path in glob.glob(course + "/solutions/*/solution.cu")}
    pages = {path: shown_of_solutions(course, path) for path in glob.glob("lessons/*/lesson.md", root_dir=course)}
    looked = 0
    for path, text in texts(copy):
        looked += 1
        for lesson, cut in solutions.items():
            lines = [line for region in cut for line in region]
            half = sum(line in text for line in lines) >= max(3, len(lines) / 2)
            whole = any(len(region) > 1 and all(line in text for line in region) for region in cut)
            if (half or whole) and not is_told(path):
                print(f"{path} tells what lesson {lesson} asks for")
        for source, region, shown in pages.get(path, []):
            if shown in text:
                print(f"{path} shows {source} [{region}]")
    if looked < 500 or not any(pages.values()) or len(solutions) < 20:
        print(f"looked at {looked} files, {len(pages)} pages, {len(solutions)} solutions only")


main(*sys.argv[1:3])
