"""A GitHub workflow as commands, for scripts/prove-ci: its jobs with expanded matrices, and their steps.

    workflow.py cells FILE      prints one line per cell: name, tab, and image ('' for the runner itself)
    workflow.py steps FILE CELL DIR [NAME=VALUE…]
                                writes env and the script of each `run:` step to DIR; prints per step:
                                run NN NAME, clone NAME, or skip NAME. NAME=VALUE replaces a value of env

An expression, action, or key that is not handled here is an error, because it would not be proved.
"""

import itertools
import pathlib
import re
import shlex
import sys

import yaml

JOB_KEYS = {"name", "if", "runs-on", "timeout-minutes", "strategy", "container", "env", "steps"}
STEP_KEYS = {"name", "if", "run", "uses", "with"}
ACTIONS = {"actions/checkout@v4": "clone", "actions/cache@v4": "skip", "actions/upload-artifact@v4": "skip"}
TOKEN = re.compile(r"\s*('(?:[^']|'')*'|[\w.-]+(?:\(\))?|&&|\|\||==|!=|[()])")
CONTEXT = {
    "github.event_name": "push",
    "github.ref": "refs/heads/main",
    "github.sha": "0" * 40,
    "failure()": False,  # a proof ends with the first step that fails
}


class Unhandled(Exception):
    pass


def evaluate(text, known):
    """An expression of literals, names, ==, !=, && and ||, from left to right with the usual precedence."""
    tokens = TOKEN.findall(text)
    if "".join(tokens) != re.sub(r"\s+(?=(?:[^']*'[^']*')*[^']*$)", "", text):
        raise Unhandled(f"expression: {text}")

    def value():
        token = tokens.pop(0)
        if token.startswith("'"):
            return token[1:-1].replace("''", "'")
        if token == "(":
            inner = either()
            tokens.pop(0)
            return inner
        if token.startswith("matrix.") and token not in known:
            return ""  # the cell does not have this value
        if token not in known:
            raise Unhandled(f"{token} in the expression: {text}")
        return known[token]

    def compared():
        left = value()
        while tokens and tokens[0] in ("==", "!="):
            same = tokens.pop(0) == "=="
            left = (str(left) == str(value())) is same
        return left

    def both():
        left = compared()
        while tokens and tokens[0] == "&&":
            tokens.pop(0)
            right = compared()
            left = right if left else left
        return left

    def either():
        left = both()
        while tokens and tokens[0] == "||":
            tokens.pop(0)
            right = both()
            left = left or right
        return left

    result = either()
    if tokens:
        raise Unhandled(f"expression: {text}")
    return result


def filled(text, known):
    return re.sub(r"\$\{\{(.*?)\}\}", lambda found: str(evaluate(found[1].strip(), known)), str(text))


def matrix(job):
    """The combinations of a job's matrix, with the values that `include` adds to matching combinations."""
    axes = dict(job.get("strategy", {}).get("matrix", {}))
    extra = axes.pop("include", [])
    if "exclude" in axes:
        raise Unhandled("exclude of a matrix")
    for values in itertools.product(*axes.values()):
        cell = dict(zip(axes, values))
        for more in extra:
            shared = [name for name in more if name in axes]
            if not shared:
                raise Unhandled("an include that adds a cell")
            if all(cell[name] == more[name] for name in shared):
                cell.update(more)
        yield cell


def cells(workflow):
    """The cells by name: the job, and the values that its expressions can use."""
    found = {}
    for id, job in workflow["jobs"].items():
        if odd := set(job) - JOB_KEYS:
            raise Unhandled(f"job {id}: {', '.join(odd)}")
        for cell in matrix(job):
            known = {**CONTEXT, **{f"matrix.{name}": value for name, value in cell.items()}}
            if evaluate(job.get("if", "'yes'"), known):
                axes = [name for name in job.get("strategy", {}).get("matrix", {}) if name != "include"]
                found[" ".join([id, *(str(cell[name]) for name in axes)])] = (job, known)
    return found


def write_steps(workflow, name, folder, given):
    if name not in cells(workflow):
        raise Unhandled(f"there is no cell {name}")
    job, known = cells(workflow)[name]
    env = {
        key: filled(value, known) for key, value in {**workflow.get("env", {}), **job.get("env", {})}.items()
    }
    if odd := set(given) - set(env):
        raise Unhandled(f"{name} has no {', '.join(odd)} in its env")
    if workflow.get("defaults") != {"run": {"shell": "bash"}}:
        raise Unhandled("a shell other than bash")
    env.update(given)
    lines = "".join(f"export {key}={shlex.quote(value)}\n" for key, value in env.items())
    (folder / "env").write_text(lines, encoding="utf-8")
    for number, step in enumerate(job["steps"]):
        if odd := set(step) - STEP_KEYS:
            raise Unhandled(f"step {number} of {name}: {', '.join(odd)}")
        title = step.get("name") or step.get("uses")
        if not evaluate(step.get("if", "'yes'"), known):
            print("skip", title)
        elif "uses" in step:
            if step["uses"] not in ACTIONS:
                raise Unhandled(f"uses: {step['uses']}")
            print(ACTIONS[step["uses"]], title)
        else:
            (folder / f"{number:02}").write_text(filled(step["run"], known), encoding="utf-8")
            print("run", f"{number:02}", title)


def main(command, file, *rest):
    with open(file, encoding="utf-8") as text:
        workflow = yaml.safe_load(text)
    if command == "cells":
        for name, (job, known) in cells(workflow).items():
            print(name, filled(job.get("container", {}).get("image", ""), known), sep="\t")
    else:
        given = dict(word.split("=", 1) for word in rest[2:])
        write_steps(workflow, rest[0], pathlib.Path(rest[1]), given)


if __name__ == "__main__":
    try:
        main(*sys.argv[1:])
    except Unhandled as error:
        sys.exit(f"workflow: not handled: {error}")
