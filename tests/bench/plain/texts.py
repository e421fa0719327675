"""Text: JSON, regular expressions, formatting, splitting and counting of words."""

from __future__ import annotations

import json
import re
from collections import Counter

WORD = re.compile(r"[a-z]+(?:'[a-z]+)?", re.IGNORECASE)
FIELD = re.compile(r"(?P<key>\w+)=(?P<value>\"[^\"]*\"|\S+)")


def line(number: int) -> str:
    level = ("info", "warning", "error")[number % 3]
    return f'time={number * 0.25:.2f} level={level} user="u{number % 17}" text="it\'s {number:x}"'


def parsed(text: str) -> dict[str, str]:
    return {found["key"]: found["value"].strip('"') for found in FIELD.finditer(text)}


def escaped(text: str) -> str:
    return "".join(f"&#{ord(char)};" if char in "<>&'\"" else char for char in text)


def main(rounds: int) -> int:
    total = 0
    for turn in range(rounds):
        lines = [line(number + turn) for number in range(150)]
        records = [parsed(one) for one in lines]
        whole = json.dumps(records, indent=1, sort_keys=True)
        again = json.loads(whole)
        assert again == records
        counts = Counter(word.lower() for one in lines for word in WORD.findall(one))
        total += sum(counts.values()) + len(whole)
        total += len(escaped(" ".join(lines)))
        total += sum(len(one.split()) for one in lines)
    return total


if __name__ == "__main__":
    print(main(300))
