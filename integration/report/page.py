#!/usr/bin/env python3
"""Is the page of `unstall report --html` sound?  page.py PAGE JSON

Parsed by a strict parser: any mistake of HTML is an error.  It must hold the
same JSON as JSON, show those numbers, ask for nothing, run nothing, and be
told to those who do not see it.  Prints what is wrong."""
import json
import re
import sys

import html5lib

NS = "{http://www.w3.org/1999/xhtml}"
SVG = "{http://www.w3.org/2000/svg}"
TITLES = {
    "first token": "ttft_ms", "gap": "gap_ms",
    "per token, by call": "tpot_ms", "per token, by token": "tpot_token_ms",
    "tokens/s": "tokens_per_s", "stalled": "stall_ms",
    "without stalls": "net_ms", "whole call": "wall_ms",
}
COUNTS = {
    "calls": ["calls", "calls_ok", "calls_refused", "failed_calls",
              "calls_aborted", "stalled_calls", "silent_calls", "stalls",
              "rescued"],
    "went wrong at": ["failures", "failed_connect", "failed_tls",
                  "failed_headers", "failed_status", "failed_first_token",
                  "failed_streaming", "failed_unknown"],
    "hedges": ["hedges_fired", "hedges_won", "hedges_wasted",
               "extra_requests", "extra_tokens_in", "extra_tokens_out",
               "extra_untold"],
}


def text(element):
    return "".join(element.itertext()).strip()


def elements(page):
    return [one for one in page.iter() if isinstance(one.tag, str)]


def check_harmless(page):
    """It runs nothing and asks for nothing."""
    for one in elements(page):
        tag = one.tag.split("}")[1]
        if tag in ("img", "iframe", "object", "embed", "link", "base", "form",
                   "image", "foreignObject", "use", "animate", "set"):
            yield f"there is a <{tag}>"
        for name, value in one.attrib.items():
            if name.lower().startswith("on") or name in ("src", "style"):
                yield f"<{tag} {name}={value}>"
            if name.endswith("href") and not value.startswith("#"):
                yield f"<{tag} {name}={value}>"
    scripts = [one for one in elements(page) if one.tag == NS + "script"]
    if [one.get("type") for one in scripts] != ["application/json"]:
        yield "there is a script"
    for one in elements(page):
        if one.tag.endswith("style") and re.search(r"url|@import", text(one)):
            yield "the style asks for something"


def check_told(page):
    """For those who do not see it."""
    root = page if page.tag == NS + "html" else page.find(NS + "html")
    if root.get("lang") != "en":
        yield "no language"
    for one in page.iter(SVG + "svg"):
        if not one.get("aria-label") and one.get("aria-hidden") != "true":
            yield "a picture without a name"
    for table in page.iter(NS + "table"):
        if table.find(NS + "caption") is None:
            yield "a table without a caption"
        if any(not head.get("scope") for head in table.iter(NS + "th")):
            yield "a head of nothing"
    for one in elements(page):
        if one.get("class") == "wide" and one.get("tabindex") != "0":
            yield "a table that the keyboard does not reach"
    if len(list(page.iter(NS + "h1"))) != 1:
        yield "not one h1"


def check_tables(page, said):
    keys = ["all"] + [row["key"] or "(none)" for row in said[1:]]
    seen = set()
    for table in page.iter(NS + "table"):
        title = text(table.find(NS + "caption"))
        rows = list(table.find(NS + "tbody"))
        seen.add(title)
        if len(rows) != len(said):
            yield f"{title}: {len(rows)} rows for {len(said)}"
            continue
        for row, key, want in zip(rows, keys, said):
            cells = [text(cell) for cell in row]
            if re.sub(r"\\(x..|u\{.*?\}|n)", "", cells[0]) != \
                    re.sub(r"[\x00-\x1f\x7f-\x9f\u200b-\u202e\ufffd]", "", key):
                yield f"{title}: {cells[0]!r} for {key!r}"
            if title in TITLES:
                got, numbers = cells[1:2], [want[TITLES[title]]["n"]]
            else:
                got, numbers = cells[1:], [want[n] for n in COUNTS[title]]
            if got != [str(number) for number in numbers]:
                yield f"{title}, {key}: {got} for {numbers}"
    if seen != set(TITLES) | set(COUNTS):
        yield f"tables {seen}"


def listed(figure):
    """The numbers that stand beneath a chart."""
    return [text(one) for one in figure.iter(NS + "li")]


def check_charts(page, said):
    whole = said[0]
    figures = {text(next(one.iter(NS + "h2"))): one
               for one in page.iter(NS + "figure")}
    for title, name in (("First token", "ttft"), ("Gaps", "gap")):
        got = [int(line.rsplit(": ", 1)[1]) for line in listed(figures[title])]
        want = [row["count"] for row in whole[name + "_histogram"]]
        if got != want or sum(got) != whole[name + "_ms"]["n"]:
            yield f"{title}: {got} for {want}"
    got = [int(re.search(r"(\d+) stalls", line)[1])
           for line in listed(figures["Stalls over time"])]
    want = [row["stalls"] for row in whole["stall_history"]]
    if (whole["stalls"] or whole["silent_calls"]) and got != want:
        yield f"stalls: {got} for {want}"
    got = [tuple(map(int, re.search(r"(\d+) won, (\d+) wasted", line).groups()))
           for line in listed(figures["Hedges"])]
    want = [(whole["won_" + why], whole["wasted_" + why]) for why in
            ("first_token", "stall", "failure", "tied", "resume")]
    if whole["hedges_fired"] and got != want:
        yield f"hedges: {got} for {want}"


def main():
    with open(sys.argv[1], encoding="utf-8") as file:
        page = html5lib.HTMLParser(strict=True).parse(file.read())
    with open(sys.argv[2], encoding="utf-8") as file:
        said = json.load(file)
    script = next(page.iter(NS + "script"))
    wrong = [] if json.loads(script.text) == said else ["another JSON"]
    for check in (check_harmless(page), check_told(page),
                  check_tables(page, said), check_charts(page, said)):
        wrong += check
    print("\n".join(wrong) or "sound")
    sys.exit(bool(wrong))


if __name__ == "__main__":
    main()
