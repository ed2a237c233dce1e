"""The database's definition in the tree: tables, functions, and the statements that C prepares."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = (ROOT / "schema.sql").read_text()
FILES = sorted((ROOT / "db" / "functions").glob("*/*.sql"))
LAYERS = ("api", "db", "server")
GENERATED = ROOT / "api" / "sql.def"  # statements named by the contract
MACRO = re.compile(r"^#define (\w+)[ \t]+((?:[^\n]*\\\n)*[^\n]*)$", re.M)
TOKEN = re.compile(r'"(?:[^"\\]|\\.)*"|\w+')
DEFINITION = re.compile(
    r"^CREATE OR REPLACE FUNCTION (\w+)\(.*?\$\$;\n\nCOMMENT ON FUNCTION (\w+) IS\n'((?:[^']|'')*)';\n",
    re.S | re.M,
)


def definitions():
    """name -> (file, text without its comment, comment)"""
    found = {}
    for path in FILES:
        for match in DEFINITION.finditer(path.read_text()):
            assert match[1] == match[2], f"{path}: the comment of {match[2]} follows {match[1]}"
            assert match[1] not in found, f"{match[1]} is defined in {path} and in {found[match[1]][0]}"
            found[match[1]] = (path, match[0].split("\n\nCOMMENT ON")[0], match[3].replace("''", "'"))
    return found


def statements():
    """(file, name, SQL) of the statements that C prepares, with macros without arguments of the same file
    expanded."""
    for layer in LAYERS:
        for path in sorted((ROOT / layer).glob("**/*.c")):
            text = path.read_text()
            macros = {name: body.replace("\\\n", " ") for name, body in MACRO.findall(text)}
            for match in re.finditer(r"struct db_stmt \w+ = \{(.*?)\};", text, re.S):
                name, *sql = re.findall(r'"((?:[^"\\]|\\.)*)"', spelt_out(match[1], macros))
                yield path.relative_to(ROOT), name, "".join(sql)
    text = GENERATED.read_text()
    macros = dict(MACRO.findall((ROOT / "api" / "core" / "rows.h").read_text()))
    for name, sql in re.findall(r"^API_SQL\((\w+), (.*), \d+\)$", text, re.M):
        yield GENERATED.relative_to(ROOT), name, "".join(re.findall(r'"([^"]*)"', spelt_out(sql, macros)))


def spelt_out(text, macros):
    return TOKEN.sub(lambda it: spelt_out(macros[it[0]], macros) if it[0] in macros else it[0], text)
