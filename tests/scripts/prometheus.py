"""Compares rules, dashboard, and tests of docker/ and tests/prometheus with the existing metrics
(docs/metrics.md, which the program generates). Prints one line per problem, for any tree, because
tests/scripts/test-prometheus corrupts copies of it.

    python3 tests/scripts/prometheus.py [TREE]
    python3 tests/scripts/prometheus.py --split TREE FOLDER

With --split it writes each test of tests/prometheus to a separate file in FOLDER, with only the rules it
needs. promtool evaluates every rule of a file at every step, which takes ten times as long with all rules.
"""

import json
import pathlib
import re
import sys

import yaml

SUFFIXES = {
    "histogram": ("_bucket", "_sum", "_count"),
    "summary": ("_sum", "_count"),
    "counter": ("",),
    "gauge": ("",),
}
OTHERS = {"up", "ALERTS"}  # Prometheus adds them
ANYWHERE = {"instance", "job", "le"}
WORDS = {
    "by",
    "without",
    "on",
    "ignoring",
    "and",
    "or",
    "unless",
    "offset",
    "bool",
    "group_left",
    "group_right",
}


def known_metrics(page):
    """Series by name, each with its labels and their values."""
    known = {}
    for name, kind, labels in re.findall(r"^\| `(\w+)` \| (\w+) \| (.*?) \|", page, re.M):
        values = {}
        for label, value in re.findall(r'(\w+)="([^"]*)"', labels):
            values.setdefault(label, set()).add(value)
        for suffix in SUFFIXES[kind]:
            known[name + suffix] = values
    return known


def used_metrics(expr):
    """Names of metrics in an expression."""
    bare = re.sub(r"\{[^}]*\}|\[[^\]]*\]|\"[^\"]*\"", " ", expr)
    bare = re.sub(r"\b(by|without|on|ignoring)\s*\([^)]*\)", " ", bare)
    return {
        word
        for word, call in re.findall(r"([a-zA-Z_:][\w:]*)\s*(\(?)", bare)
        if not call and word not in WORDS
    }


def wrong_labels(expr, known):
    """Selectors with labels or values that no series has."""
    for name, selector in re.findall(r"([a-zA-Z_:][\w:]*)\{([^}]*)\}", expr):
        for label, how, text in re.findall(r'(\w+)\s*(=~|!~|!=|=)\s*"([^"]*)"', selector):
            if name not in known or label in ANYWHERE or text.startswith("$"):
                continue
            values = text.split("|") if "~" in how else [text]
            for value in values:
                if value not in known[name].get(label, ()):
                    yield f'{name} has no {label}="{value}"'


def main(tree):
    prometheus = tree / "docker" / "prometheus"
    groups = yaml.safe_load((prometheus / "rules.yaml").read_text())["groups"]
    rules = [rule for group in groups for rule in group["rules"]]
    board = json.loads((tree / "docker" / "grafana" / "dashboards" / "rummyd.json").read_text())
    known = known_metrics((tree / "docs" / "metrics.md").read_text())
    # Recorded series keep the labels of their inputs.
    known |= {
        rule["record"]: known[max(used_metrics(rule["expr"]) & set(known), default=next(iter(known)))]
        for rule in rules
        if "record" in rule
    }
    exprs = [(rule.get("alert") or rule["record"], rule["expr"]) for rule in rules]
    exprs += [
        (panel["title"], target["expr"]) for panel in board["panels"] for target in panel.get("targets", [])
    ]
    exprs += [(each["name"], each["expr"]) for each in board["annotations"]["list"]]
    exprs += [
        (each["name"], re.sub(r"^label_values\((\w+), \w+\)$", r"\1", each["query"]))
        for each in board["templating"]["list"]
        if each["type"] == "query"
    ]
    tests = [
        test
        for path in sorted((tree / "tests" / "prometheus").glob("*.yaml"))
        for test in yaml.safe_load(path.read_text())["tests"]
    ]
    exprs += [(test["name"], series["series"]) for test in tests for series in test["input_series"]]
    for where, expr in exprs:
        for name in sorted(used_metrics(expr) - set(known) - OTHERS):
            yield f"{where}: there is no metric {name}"
        for wrong in wrong_labels(expr, known):
            yield f"{where}: {wrong}"
    told = (tree / "docs" / "operations.md").read_text()
    for alert in [rule["alert"] for rule in rules if "alert" in rule]:
        cases = [
            case for test in tests for case in test.get("alert_rule_test", []) if case["alertname"] == alert
        ]
        for fires, words in ((True, "fires"), (False, "does not fire")):
            if not any(bool(case["exp_alerts"]) == fires for case in cases):
                yield f"{alert}: no test in which it {words}"
        if f"`{alert}`" not in told:
            yield f"{alert}: docs/operations.md does not say what to do"
    ids = [panel["id"] for panel in board["panels"]]
    if len(ids) != len(set(ids)) or not exprs:
        yield "two panels of the board have one id"


def split(tree, folder):
    """Writes a separate file for each test with only the rules that it needs, so that promtool does not
    evaluate the others."""
    groups = yaml.safe_load((tree / "docker" / "prometheus" / "rules.yaml").read_text())["groups"]
    recorded = {
        rule["record"]: rule["expr"] for group in groups for rule in group["rules"] if "record" in rule
    }
    for path in sorted((tree / "tests" / "prometheus").glob("*.yaml")):
        page = yaml.safe_load(path.read_text())
        for number, test in enumerate(page.pop("tests")):
            alerts = {case["alertname"] for case in test.get("alert_rule_test", [])}
            left = [case["expr"] for case in test.get("promql_expr_test", [])]
            left += [
                rule["expr"] for group in groups for rule in group["rules"] if rule.get("alert") in alerts
            ]
            records = set()
            while left:
                more = used_metrics(left.pop()) & recorded.keys() - records
                records |= more
                left += [recorded[name] for name in more]
            needed = [
                {
                    **group,
                    "rules": [
                        rule
                        for rule in group["rules"]
                        if rule.get("alert") in alerts or rule.get("record") in records
                    ],
                }
                for group in groups
            ]
            name = f"{path.stem}-{number:02}-{re.sub(r'[^A-Za-z]+', '-', test['name'])}"
            rules = {"groups": [group for group in needed if group["rules"]]}
            (folder / f"{name}.rules").write_text(yaml.safe_dump(rules, sort_keys=False))
            whole = {**page, "rule_files": [f"{name}.rules"], "tests": [test]}
            (folder / f"{name}.yaml").write_text(yaml.safe_dump(whole, sort_keys=False))


if __name__ == "__main__":
    if sys.argv[1:2] == ["--split"]:
        split(*map(pathlib.Path, sys.argv[2:]))
        sys.exit()
    found = list(main(pathlib.Path(sys.argv[1] if len(sys.argv) > 1 else ".")))
    print("\n".join(found), end="\n" if found else "")
    sys.exit(bool(found))
