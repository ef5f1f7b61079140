"""Reads a question bank as three systems would, and prints where they differ: questions.py MOODLE.XML QUESTIONS.GIFT QTI-FOLDER."""
import collections
import html
import pathlib
import re
import sys
import xml.etree.ElementTree as tree

QTI = "{http://www.imsglobal.org/xsd/imsqti_v2p1}"
PACKAGE = "{http://www.imsglobal.org/xsd/imscp_v1p1}"


def words(text):
    """The text of a piece of HTML, without its marks and with single spaces."""
    return " ".join(html.unescape(re.sub(r"<[^>]*>", " ", text)).split())


def moodle(path):
    for question in tree.parse(path).getroot().iter("question"):
        if question.get("type") == "multichoice":
            choices = [(answer.get("fraction") == "100", words(answer.findtext("text")), words(answer.findtext("feedback/text")))
                       for answer in question.iter("answer")]
            yield words(question.findtext("questiontext/text")), choices


def unescaped(text):
    return words(re.sub(r"\\(.)", lambda match: "\n" if match[1] == "n" else match[1], text))


def gift(path):
    part = r"((?:\\.|[^\\~=#{}])*)"
    for block in re.split(r"\n{2,}", pathlib.Path(path).read_text()):
        if block.strip() and not block.startswith("$CATEGORY"):
            match = re.fullmatch(r"::(?:\\.|[^\\:])*::\[html\]" + part + r"\{\n(.*)\}\n?", block, re.S)
            if not match:
                print("GIFT cannot be read:", block[:80])
                continue
            choices = re.findall(r"([=~])" + part + "#" + part + r"\n", match[2])
            yield unescaped(match[1]), [(kind == "=", unescaped(text), unescaped(why)) for kind, text, why in choices]


def inner(element):
    return words(tree.tostring(element, encoding="unicode"))


def qti(folder):
    manifest = tree.parse(folder / "imsmanifest.xml").getroot()
    for resource in manifest.iter(PACKAGE + "resource"):
        item = tree.parse(folder / resource.get("href")).getroot()
        right = item.findtext(f".//{QTI}correctResponse/{QTI}value")
        why = {feedback.get("identifier"): inner(feedback) for feedback in item.iter(QTI + "modalFeedback")}
        body = item.find(QTI + "itemBody")
        interaction = body.find(QTI + "choiceInteraction")
        choices = [(choice.get("identifier") == right, inner(choice), why[choice.get("identifier")]) for choice in interaction]
        body.remove(interaction)
        yield inner(body), choices


def main():
    banks = [list(moodle(sys.argv[1])), list(gift(sys.argv[2])), list(qti(pathlib.Path(sys.argv[3])))]
    if not banks[0] or len({len(bank) for bank in banks}) != 1:
        print("numbers of questions:", [len(bank) for bank in banks])
    for one, two, three in zip(*map(sorted, banks)):
        if not one == two == three:
            print(f"differs: {one}\n{two}\n{three}")
    # Who always takes the same letter must not get far.
    letters = collections.Counter([right for right, _, _ in choices].index(True) for _, choices in banks[0])
    if len(banks[0]) > 20 and max(letters.values()) > 0.4 * len(banks[0]):
        print("one letter is right too often:", letters)


main()
