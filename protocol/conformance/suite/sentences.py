"""The labelled sentences of SPEC.md: label and text, read from SPEC.md itself or from the table beside this file."""

from __future__ import annotations

import re
from pathlib import Path

TABLE = Path(__file__).with_name("sentences.txt")
_LABEL = re.compile(r"`\[([a-z]+\.[0-9]+)\]`")
_BETWEEN_SENTENCES = re.compile(r"(?<=[.!?]) +(?=[A-Z`\"*])")
_LIST_MARK = re.compile(r"(\*|-|[0-9]+\.) ")


def blocks(spec: str) -> list[str]:
    """The running text of the specification, one paragraph or list item each; fenced examples and tables left out."""
    found: list[str] = []
    is_fenced = False
    is_open = False
    for line in spec.split("\n"):
        text = line.strip()
        if text.startswith("```"):
            is_fenced = not is_fenced
            is_open = False
        elif is_fenced or not text or text.startswith(("|", "#", "<!--")):
            is_open = False
        elif _LIST_MARK.match(text) or not is_open:
            found.append(text)
            is_open = True
        else:
            found[-1] += " " + text
    return found


def labelled(spec: str) -> dict[str, str]:
    """The sentence before each label, in the order of the specification."""
    sentences: dict[str, str] = {}
    for block in blocks(spec):
        place = 0
        for match in _LABEL.finditer(block):
            before = block[place : match.start()].strip()
            sentences[match.group(1)] = _last_sentence(before)
            place = match.end()
    return sentences


def _last_sentence(text: str) -> str:
    sentence = _BETWEEN_SENTENCES.split(text)[-1]
    if _LIST_MARK.match(sentence):
        sentence = sentence.split(" ", 1)[1]
    return re.sub(r"^\*\*[^*]+\*\* ", "", sentence)  # a heading that runs into the text


def unlabelled(spec: str) -> list[str]:
    """Sentences with MUST in them that no label follows, the definition of the word left out."""
    missing: list[str] = []
    for block in blocks(spec):
        if "BCP 14" in block:
            continue
        place = 0
        for match in [*_LABEL.finditer(block), None]:
            before = block[place : match.start() if match else len(block)].strip()
            sentences = _BETWEEN_SENTENCES.split(before)
            loose = sentences if match is None else sentences[:-1]
            missing += [sentence for sentence in loose if "MUST" in sentence]
            place = match.end() if match else place
    return missing


def find_spec(folder: Path) -> Path | None:
    """SPEC.md in this folder or one of the three above it."""
    for place in (folder, *list(folder.parents)[:3]):
        if (place / "SPEC.md").is_file():
            return place / "SPEC.md"
    return None


def load(folder: Path) -> dict[str, str]:
    """The sentences, from SPEC.md where it is at hand and from the suite's own table elsewhere."""
    spec = find_spec(folder)
    if spec is not None:
        return labelled(spec.read_text(encoding="utf-8"))
    table: dict[str, str] = {}
    for line in TABLE.read_text(encoding="utf-8").splitlines():
        label, _, sentence = line.partition(" ")
        table[label] = sentence
    return table
