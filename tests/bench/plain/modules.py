"""Many imports, a parser of arguments, a temporary folder, and little work: a tool of a shell."""

from __future__ import annotations

import argparse
import asyncio
import concurrent.futures
import csv
import dataclasses
import decimal
import email.message
import html.parser
import http.client
import inspect
import io
import logging
import sqlite3
import subprocess
import tempfile
import unittest
import xml.etree.ElementTree as ET
from pathlib import Path

LOADED = (asyncio, concurrent, email, html, http, inspect, logging, sqlite3, subprocess, unittest)


@dataclasses.dataclass(frozen=True)
class Entry:
    name: str
    amount: decimal.Decimal


def main() -> int:
    parser = argparse.ArgumentParser()
    parser.add_argument("words", nargs="*")
    parser.parse_args()
    entries = [Entry(f"e{k}", decimal.Decimal(k) / 7) for k in range(300)]
    text = io.StringIO()
    csv.writer(text).writerows(dataclasses.astuple(entry) for entry in entries)
    root = ET.Element("entries")
    for entry in entries:
        ET.SubElement(root, "entry", name=entry.name).text = str(entry.amount)
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "entries.xml")
        path.write_bytes(ET.tostring(root))
        return len(path.read_text(encoding="utf-8")) + len(text.getvalue()) + len(LOADED)


print(main())
