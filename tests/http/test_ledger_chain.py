"""`rummyd ledger-head` and `ledger-check --since` as an operator runs them, and sealing by the server."""

import json
import re
import subprocess

import pytest
from support.cluster import READER, RUMMYD, SERVER
from support.wait import until


def run(command, cluster, database, *args):
    return subprocess.run(
        [RUMMYD, command, "--db", cluster.conninfo(database), *args], capture_output=True, text=True
    )


@pytest.fixture
def head(cluster, database, guest):
    """A published head; then an attack on the ledger."""
    done = run("ledger-head", cluster, database)
    assert done.returncode == 0 and re.fullmatch(r"[1-9]\d*:[0-9a-f]{64}\n", done.stdout), (
        done.stdout,
        done.stderr,
    )
    return done.stdout.strip()


def test_the_server_seals_the_ledger_and_logs_the_daily_head(server, guest, sql):
    sealed = "SELECT (SELECT max(id) FROM transfers) <= (SELECT transfer_id FROM ledger_seal)"
    until(lambda: sql(sealed) == [(True,)], "the server did not seal")
    heads = [row[0] for row in sql("SELECT transfer_id || ':' || encode(hash, 'hex') FROM ledger_heads")]

    def logged():
        return [json.loads(line)["head"] for line in server.log().splitlines() if '"ledger_head"' in line]

    until(lambda: logged() == heads, lambda: f"{heads} are sealed, {logged()} are logged")


@pytest.mark.parametrize(
    "flags", [lambda head: ["--since", head], lambda head: [f"--since={head}"], lambda head: []]
)
def test_a_clean_ledger_reports_its_head(cluster, database, head, flags):
    done = run("ledger-check", cluster, database, *flags(head))
    assert done.returncode == 0 and done.stderr == "", done.stdout
    assert re.search(rf"^ledger clean: .*\nhead {head}, 0 transfers behind it\n\Z", done.stdout)


def test_a_head_outside_the_chain_is_reported(cluster, database, head):
    transfer, digest = head.split(":")
    for other in (f"{transfer}:{digest[::-1]}", f"{int(transfer) + 1000}:{digest}"):
        done = run("ledger-check", cluster, database, "--since", other)
        assert (
            done.returncode == 1
            and done.stdout.startswith(f"rewritten: head {other.split(':')[0]}: ")
            and "1 problems" in done.stderr
        )


def test_a_balanced_rewrite_is_detected(cluster, database, head, sql):
    """A gift redirected to another player, with all balances adjusted. The chain detects it; if the chain
    was recomputed, the head detects it."""
    admin = cluster.connect(database, "postgres")
    with admin.cursor() as cursor:
        cursor.execute(
            "ALTER TABLE transfers DISABLE TRIGGER USER; UPDATE transfers SET note = 'as agreed' WHERE key"
            " LIKE 'welcome:%'"
        )
        done = run("ledger-check", cluster, database)
        assert done.returncode == 1 and "chain_differs: transfer " in done.stdout
        cursor.execute(
            "ALTER TABLE ledger_chain DISABLE TRIGGER USER; ALTER TABLE ledger_heads DISABLE TRIGGER USER;"
            " DELETE FROM ledger_chain;DELETE FROM ledger_heads; UPDATE ledger_seal SET transfer_id = 0, hash"
            " = '', mark = 0;ALTER TABLE ledger_chain ENABLE ALWAYS TRIGGER chain_kept; ALTER TABLE"
            " ledger_heads ENABLE ALWAYS TRIGGER head_kept;ALTER TABLE transfers ENABLE ALWAYS TRIGGER"
            " transfer_kept"
        )
    admin.close()
    assert run("ledger-head", cluster, database).stdout != head
    assert run("ledger-check", cluster, database).returncode == 0, (
        "inside the database nothing is left to be seen"
    )
    done = run("ledger-check", cluster, database, "--since", head)
    assert done.returncode == 1 and done.stdout.startswith("rewritten: head ")


@pytest.mark.parametrize(
    "head",
    [
        "",
        "x",
        "1",
        "1:",
        ":" + "a" * 64,
        "0:" + "a" * 64,
        "-1:" + "a" * 64,
        "1:" + "a" * 63,
        "1:" + "g" * 64,
        "1:" + "a" * 65,
        "9" * 30 + ":" + "a" * 64,
    ],
)
def test_a_malformed_head_is_refused(cluster, database, head):
    done = run("ledger-check", cluster, database, f"--since={head}")
    assert (
        done.returncode == 2
        and "--since must be a head from `rummyd ledger-head`" in done.stderr
        and done.stdout == ""
    )


def test_a_read_only_role_gets_the_current_head_and_can_verify(cluster, database, head):
    reader = ["--db", cluster.conninfo(database, READER)]
    for role in (["--db", cluster.conninfo(database, SERVER)], reader):
        assert (
            subprocess.run([RUMMYD, "ledger-head", *role], capture_output=True, text=True).stdout.strip()
            == head
        )
    done = subprocess.run([RUMMYD, "ledger-check", *reader, "--since", head], capture_output=True, text=True)
    assert done.returncode == 0 and done.stdout.startswith("ledger clean: "), done.stderr


def test_an_empty_ledger_has_no_head(cluster):
    name = cluster.new_database()
    done = run("ledger-head", cluster, name)
    assert done.returncode == 1 and "no transfers yet" in done.stderr
    assert "head none, 0 transfers behind it" in run("ledger-check", cluster, name).stdout
    cluster.drop_database(name)
