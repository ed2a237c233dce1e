"""The tables of docs/providers.md: replies of third-party servers, and our reaction. A test plays each row.

ROWS = rows("openid")                      # those between <!-- openid --> and the next such mark
@pytest.mark.parametrize("row", ROWS, ids=str)
def test_row(row): assert PLAYS[row.id](…) == row.result
complete(ROWS, PLAYS)                      # no row without a play, no play without a row
"""

import dataclasses
import pathlib
import re

PAGE = pathlib.Path(__file__).resolve().parents[2] / "docs" / "providers.md"


@dataclasses.dataclass(frozen=True)
class Row:
    id: str
    what: str
    result: str

    def __str__(self):
        return self.id


def rows(table, page=PAGE):
    parts = dict(re.findall(r"<!-- ([\w-]+) -->\n(.*?)(?=<!--|\n## |\Z)", page.read_text(), re.S))
    found = [
        Row(id, what.strip(), result.strip().strip("`"))
        for id, what, result in re.findall(r"^\| `([\w-]+)` \| ([^|]+) \| ([^|]+) \|", parts[table], re.M)
    ]
    lines = [
        line for line in parts[table].splitlines() if line.startswith("| ") and not line.startswith("| row ")
    ]
    assert len(found) == len(lines), [
        line for line in lines if not any(f"| `{row.id}` |" in line for row in found)
    ]
    assert len({row.id for row in found}) == len(found), "row names are unique"
    return found


def complete(table, plays):
    ids = {row.id for row in table}
    assert ids == set(plays), (sorted(ids - set(plays)), sorted(set(plays) - ids))
