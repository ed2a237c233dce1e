"""Made-up puzzles, as stored in the database: the server passes positions on without parsing them."""

import itertools
import json

NUMBERS = itertools.count(1)
CHOICES = [
    {"choice": "5D", "worth": 0.412, "error": 0},
    {"choice": "KS", "worth": 0.371, "error": 0.011},
    {"choice": "9H", "worth": 0.318, "error": 0.014},
]


def put_puzzle(sql, **more):
    """Inserts a puzzle with sql(statement, *values), which returns rows; returns the puzzle's id."""
    row = {
        "variant": "rummy51", "players_n": 4, "seat": 2, "theme": "discard", "tags": ["high_cards"],
        "position": f'[Rummyd "1"]\n; made up, {next(NUMBERS)}\n', "options": ["5D", "9H", "KS"],
        "choices": json.dumps(CHOICES), "answer": "5D", "origin": "starter", "reserved": False,
        "deals_n": 600, **more,
    }  # fmt: skip
    marks = ", ".join(["%s"] * len(row))
    return sql(f"INSERT INTO puzzles ({', '.join(row)}) VALUES ({marks}) RETURNING id", *row.values())[0][0]
