"""What OTLP/JSON may be: the fields of opentelemetry-proto's trace messages,
with the types that protobuf's JSON gives them and OTLP's exceptions (ids are
hex, enums are numbers).  errors_of(document) is a list of what is wrong."""
import re


def text(value):
    return isinstance(value, str)


def digits(value):
    return isinstance(value, str) and re.fullmatch(r"-?\d+", value)


def moment(value):
    return digits(value) and 0 < int(value) < 2**64


def enum(most):
    return lambda value: type(value) is int and 0 <= value <= most


def hex_id(length):
    return lambda value: (isinstance(value, str)
                          and re.fullmatch("[0-9a-f]{%d}" % length, value)
                          and int(value, 16) != 0)


def each(rule):
    return [rule]


VALUE = {"stringValue": text, "intValue": digits,
         "boolValue": lambda v: isinstance(v, bool),
         "doubleValue": lambda v: isinstance(v, (int, float))}
ATTRIBUTE = {"key": text, "value": VALUE}
EVENT = {"timeUnixNano": moment, "name": text, "attributes": each(ATTRIBUTE)}
SPAN = {
    "traceId": hex_id(32), "spanId": hex_id(16), "parentSpanId": hex_id(16),
    "name": text, "kind": enum(5), "startTimeUnixNano": moment,
    "endTimeUnixNano": moment, "attributes": each(ATTRIBUTE),
    "events": each(EVENT), "status": {"code": enum(2), "message": text},
}
DOCUMENT = {"resourceSpans": each({
    "resource": {"attributes": each(ATTRIBUTE)},
    "scopeSpans": each({"scope": {"name": text, "version": text},
                        "spans": each(SPAN)}),
})}
NEEDED = {"traceId", "spanId", "name", "kind", "startTimeUnixNano",
          "endTimeUnixNano"}


def wrong(value, rule, at):
    if isinstance(rule, list):
        if not isinstance(value, list):
            return [f"{at}: no list"]
        return [e for i, v in enumerate(value)
                for e in wrong(v, rule[0], f"{at}[{i}]")]
    if isinstance(rule, dict):
        if not isinstance(value, dict):
            return [f"{at}: no object"]
        out = [f"{at}.{k}: no such field" for k in value if k not in rule]
        return out + [e for k, v in value.items() if k in rule
                      for e in wrong(v, rule[k], f"{at}.{k}")]
    return [] if rule(value) else [f"{at}: {value!r}"]


def spans_of(document):
    return [s for r in document["resourceSpans"] for c in r["scopeSpans"]
            for s in c["spans"]]


def attributes_of(thing):
    out = {}
    for a in thing.get("attributes", []):
        (kind, value), = a["value"].items()
        if a["key"] in out:
            raise ValueError("twice: " + a["key"])
        out[a["key"]] = int(value) if kind == "intValue" else value
    return out


def span_errors(span, ids):
    out = [f"no {name}" for name in NEEDED if name not in span]
    if out:
        return out
    begin = int(span["startTimeUnixNano"])
    end = int(span["endTimeUnixNano"])
    if end < begin:
        out.append("ends before it starts")
    for event in span["events"]:
        if not begin <= int(event["timeUnixNano"]) <= end:
            out.append(event["name"] + " is outside of its span")
    parent = span.get("parentSpanId")
    if parent and (span["traceId"], parent) not in ids:
        out.append("its parent is not there")
    if span["kind"] != 3:
        out.append("no client's")
    return [f"{span['name']}: {e}" for e in out]


def errors_of(document):
    out = wrong(document, DOCUMENT, "$")
    if out:
        return out
    spans = spans_of(document)
    ids = {(s["traceId"], s["spanId"]) for s in spans}
    if len(ids) != len(spans):
        out.append("a span's id is there twice")
    for span in spans:
        out += span_errors(span, ids)
        attributes_of(span)
    return out
