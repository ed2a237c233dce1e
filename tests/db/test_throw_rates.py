"""How often bots take a discard: the stored rates match their play."""

import json
import re
import subprocess

import pytest
from support.cluster import ROOT, RUMMYD

GAMES, SEED = 40, 9
FILE = ROOT / "db/data/11-throw-rates.sql"


def rummyd(*args):
    return subprocess.run([RUMMYD, *args], capture_output=True, text=True, check=False)


@pytest.fixture(scope="module")
def stored(database, cluster):
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute("SELECT variant, seats_n, chances, taken FROM throw_rates")
        rates = {row[:2]: row[2:] for row in cursor.fetchall()}
    connection.close()
    return rates


def test_every_variant_has_a_rate_for_each_number_of_seats(stored):
    variants = json.loads(rummyd("variants").stdout)
    assert set(stored) == {
        (name, n)
        for name, row in variants.items()
        for n in range(row["params"]["players_min"], row["params"]["players_max"] + 1)
    }


def test_the_stored_rates_agree_with_a_small_simulation(stored):
    """Rates measured on other deals are within four of their standard errors. The errors of the stored
    rates are negligible in comparison."""
    wrong = {}
    for (variant, n), (chances, taken) in stored.items():
        said = rummyd(
            "simulate",
            "--variant",
            variant,
            "--games",
            str(GAMES),
            "--seed",
            str(SEED),
            "--seats",
            ",".join(["strong"] * n),
        ).stdout
        share, error, of = re.search(
            r"^strong +per draw +takes the discard ([\d.]+) \(standard error ([\d.]+)\), \d+ of (\d+)$",
            said,
            re.M,
        ).groups()
        assert 0 < float(error) < 0.05 and int(of) > 300
        if abs(float(share) - taken / chances) > 4 * float(error):
            wrong[variant, n] = (share, error, taken / chances)
    assert len(stored) > 30 and wrong == {}


def test_the_command_generates_the_file_and_replaces_existing_rates(cluster, database):
    made = rummyd("throw-rates", "2")
    assert made.returncode == 0
    kinds = r"^    \('(\w+)', (\d), \d+, \d+\),?$"
    assert re.findall(kinds, made.stdout, re.M) == re.findall(kinds, FILE.read_text(), re.M)
    assert re.sub(r"\d+", "N", made.stdout) == re.sub(r"\d+", "N", FILE.read_text())
    variant, seats, chances, taken = re.search(r"\('(\w+)', (\d), (\d+), (\d+)\)", made.stdout).groups()
    connection = cluster.connect(database)
    with connection.cursor() as cursor:
        cursor.execute(made.stdout)
        cursor.execute(
            "SELECT chances, taken FROM throw_rates WHERE variant = %s AND seats_n = %s",
            (variant, int(seats)),
        )
        assert cursor.fetchone() == (int(chances), int(taken))
    connection.rollback()
    connection.close()


@pytest.mark.parametrize("args", [("0",), ("x",), ("100001",), ("1", "2")])
def test_a_bad_number_of_games_is_refused(args):
    said = rummyd("throw-rates", *args)
    assert (
        said.returncode == 2
        and "GAMES must be a single number from 1 to 100000" in said.stderr
        and said.stdout == ""
    )
