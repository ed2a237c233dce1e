"""What the tree says of the database: tables, functions, and the statements that C prepares."""

import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
SCHEMA = (ROOT / "schema.sql").read_text()
FILES = sorted((ROOT / "db" / "functions").glob("*/*.sql"))
LAYERS = ("api", "db", "server")
DEFINITION = re.compile(
    r"^CREATE OR REPLACE FUNCTION (\w+)\(.*?\$\$;\n\nCOMMENT ON FUNCTION (\w+) IS\n'((?:[^']|'')*)';\n", re.S | re.M)


def definitions():
    """name -> (file, text without its comment, comment)"""
    found = {}
    for path in FILES:
        for match in DEFINITION.finditer(path.read_text()):
            assert match[1] == match[2], f"{path}: the comment of {match[2]} stands behind {match[1]}"
            assert match[1] not in found, f"{match[1]} is defined in {path} and in {found[match[1]][0]}"
            found[match[1]] = (path, match[0].split("\n\nCOMMENT ON")[0], match[3].replace("''", "'"))
    return found


def statements():
    """(file, name, SQL) of the statements that C prepares; what a macro adds to the SQL is left out."""
    for layer in LAYERS:
        for path in sorted((ROOT / layer).glob("**/*.c")):
            for match in re.finditer(r"struct db_stmt \w+ = \{(.*?)\};", path.read_text(), re.S):
                name, *sql = re.findall(r'"((?:[^"\\]|\\.)*)"', match[1])
                yield path.relative_to(ROOT), name, "".join(sql)
