"""The program does not depend on database settings: every setting that a database or a role can change is
pinned by our connections (db/session.def) or is harmless, and text is folded and sorted the same in every
locale."""

import json
import re
import subprocess
import uuid

import psycopg2
import pytest
from sources import ROOT
from support import adverse
from support.adverse import ADVERSE, ADVERSE_OF_SUPERUSERS, PINNED, SLOW
from support.cluster import OWNER, RUMMYD, SERVER
from support.contract import Client
from support.server import Server

# Settings that may have any value, with the reasons.
HARMLESS = {
    "plans and their cost: the rows are the same": (
        """
        backend_flush_after commit_siblings constraint_exclusion cpu_index_tuple_cost cpu_operator_cost
        cpu_tuple_cost cursor_tuple_fraction debug_parallel_query default_statistics_target
        effective_cache_size effective_io_concurrency enable_.* force_parallel_mode from_collapse_limit geqo
        geqo_.* gin_pending_list_limit hash_mem_multiplier jit jit_.* join_collapse_limit
        logical_decoding_work_mem maintenance_io_concurrency maintenance_work_mem max_parallel_.*
        min_parallel_.* parallel_.* random_page_cost recursive_worktable_factor seq_page_cost
        stats_fetch_consistency synchronize_seqscans temp_buffers vacuum_.* wal_skip_threshold work_mem
        io_combine_limit"""
    ),
    "only for logs and debugging": (
        "debug_pretty_print debug_print_.* log_parameter_max_length_on_error trace_notify trace_sort"
    ),
    "connection parameters say it (db/pg.c)": "application_name client_encoding",
    "of one transaction; no database can set it": (
        "transaction_deferrable transaction_isolation transaction_read_only"
    ),
    "the operator's choice of what a commit waits for (docs/operations.md)": "synchronous_commit",
    "the operator's limit, as the statement timeout of a proxy is": "transaction_timeout",
    "where an operator keeps tables": "default_tablespace temp_tablespaces",
    "nothing here uses it": (
        "default_text_search_config default_toast_compression password_encryption timezone_abbreviations"
        " local_preload_libraries restrict_nonsystem_relation_kind icu_validation_level createrole_self_grant"
        " wal_sender_timeout scram_iterations debug_logical_replication_streaming"
    ),
}
# The same for settings that only a superuser can change, so that our sessions cannot pin them.
HARMLESS_OF_SUPERUSERS = {
    "only for logs, statistics, and debugging": (
        """
        backtrace_functions compute_query_id debug_discard_caches jit_debugging_support jit_dump_bitcode
        jit_profiling_support lc_messages log_.* post_auth_delay pre_auth_delay track_.* update_process_title
        wal_consistency_checking"""
    ),
    "how fast, with the same result": (
        "commit_delay deadlock_timeout ignore_system_indexes wal_compression wal_init_zero wal_recycle"
    ),
    "a statement that exceeds it fails with an error": "max_stack_depth temp_file_limit",
    "repairs by hand": (
        "allow_in_place_tablespaces allow_system_table_mods composite_type_mismatch ignore_checksum_failure"
        " zero_damaged_pages"
    ),
    "what code a superuser installs": (
        "dynamic_library_path event_triggers extension_control_path extension_destdir"
        " output_plugin_libraries session_preload_libraries"
    ),
    "nothing here uses it": "lo_compat_privileges",
    "refused at startup if it is replica (db/grants.c); local is origin, for us": "session_replication_role",
}
FORMATS = (
    "bytea_output",
    "datestyle",
    "extra_float_digits",
    "intervalstyle",
    "timezone",
    "array_nulls",
    "transform_null_equals",
    "quote_all_identifiers",
)


def admin(cluster, database, *statements):
    connection = psycopg2.connect(cluster.conninfo(database, "postgres"))
    connection.autocommit = True
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
    connection.close()


def make_adverse(cluster, database):
    admin(cluster, "postgres", *adverse.settings(database, ADVERSE | SLOW))


def test_every_database_setting_is_pinned_or_harmless(cluster):
    connection = cluster.connect("postgres", "postgres")
    with connection.cursor() as cursor:
        cursor.execute("SELECT name FROM pg_settings WHERE context = 'user' AND name NOT LIKE '%.%'")
        names = {name.lower() for (name,) in cursor.fetchall()}
    connection.close()
    pinned = {name for name in PINNED if "." not in name} - {"role"}
    harmless = re.compile("|".join(f"(?:{word})" for words in HARMLESS.values() for word in words.split()))
    assert {name for name in names if name not in pinned and not harmless.fullmatch(name)} == set()
    assert not {name for name in pinned if harmless.fullmatch(name)}, "in one list only"
    assert set(ADVERSE | SLOW) <= pinned | {
        name for name in ADVERSE | SLOW if harmless.fullmatch(name)
    } | set(PINNED)
    assert pinned <= names, "a setting that PostgreSQL does not have refuses the connection"


def test_every_superuser_setting_is_harmless_or_refused(cluster):
    connection = cluster.connect("postgres", "postgres")
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT name FROM pg_settings WHERE context IN ('superuser', 'superuser-backend', 'backend')"
            " AND name NOT LIKE '%.%'"
        )
        names = {name.lower() for (name,) in cursor.fetchall()}
    connection.close()
    words = [word for words in HARMLESS_OF_SUPERUSERS.values() for word in words.split()]
    harmless = re.compile("|".join(f"(?:{word})" for word in words))
    assert {name for name in names if not harmless.fullmatch(name)} == set()
    assert {name for name in ADVERSE_OF_SUPERUSERS if "." not in name} <= names


def test_pinned_settings_override_the_database_s(cluster):
    database = cluster.new_database(migrated=False)
    make_adverse(cluster, database)
    try:
        connection = cluster.session(database, settings=PINNED)
        with connection.cursor() as cursor:
            for name, value in PINNED.items():
                if name not in (
                    "tcp_keepalives_idle",
                    "tcp_keepalives_interval",
                    "tcp_keepalives_count",
                    "tcp_user_timeout",
                    "datestyle",
                ):
                    cursor.execute("SELECT current_setting(%s)", (name,))
                    assert cursor.fetchone()[0] == value.replace("\\", ""), name
        connection.close()
    finally:
        cluster.drop_database(database)


# --- the program on such a database -------------------------------------------------------------------------


LISTS = [
    route["path"]
    for route in json.loads(
        subprocess.run([RUMMYD, "routes"], capture_output=True, text=True, check=True).stdout
    )
    if route["method"] == "GET"
    and "{" not in route["path"]
    and route["path"].startswith("/v1/")
    and not route["path"].startswith("/v1/admin")
]


def play(server):
    """The life of an account, through everything that reads or writes text, bytes, times, and amounts."""
    mail = uuid.uuid4().hex[:8]
    name = f"Info {mail}"
    mia = Client(server).register(f"INFO.{mail}I@EXAMPLE.COM", "seven sleeping camels", name)
    again = {"email": f"info.{mail}i@Example.Com", "password": "seven sleeping camels"}
    for email in (again["email"], again["email"].upper(), again["email"].lower()):
        Client(server).call("POST", "/v1/auth/login", {**again, "email": email}, status=200)
    Client(server).call(
        "POST", "/v1/auth/register", {**again, "nickname": f"Other {mail}"}, status=409, code="email_taken"
    )
    Client(server).call(
        "POST",
        "/v1/auth/register",
        {"email": f"x{mail}@example.com", "password": "seven sleeping camels", "nickname": name.upper()},
        status=409,
        code="name_taken",
    )
    seeker = Client(server).guest()
    for typed in (name, name.lower(), name.upper()):
        found = seeker.call("GET", "/v1/players", params={"nickname": typed}, status=200).json()["items"]
        assert [item["nickname"] for item in found] == [name], typed
    mia.refresh()
    paths = [*LISTS, "/v1/leaderboards/rummy51/rating/all", "/v1/leaderboards/rummy51/rating/month"]
    assert len(paths) > 20
    for path in paths:
        answer = mia.call("GET", path)
        assert answer.status_code < 500, (path, answer.text)
    table = mia.take_seat(status=201).json()
    assert mia.get(f"/v1/tables/{table['table_id']}")["t"] == "snapshot"
    code = mia.call("POST", "/v1/invites").json()["code"]
    body = {
        "email": f"y{mail}@example.com",
        "password": "seven sleeping camels",
        "nickname": f"Invited {mail}",
        "invite_code": code.lower(),
    }
    Client(server).call("POST", "/v1/auth/register", body, status=201)
    return mia, mail


def ledger(cluster, database, settings):
    """The hashes of all transfers under these settings, and the result of the ledger check."""
    connection = cluster.session(database, settings=settings)
    with connection.cursor() as cursor:
        cursor.execute("SELECT transfer_id, encode(hash, 'hex') FROM ledger_hashes(0, 1000000) ORDER BY 1")
        hashes = cursor.fetchall()
        cursor.execute("SELECT encode(hash, 'hex') FROM ledger_chain ORDER BY transfer_id")
        chain = cursor.fetchall()
        cursor.execute("SELECT * FROM q_ledger_check()")
        return hashes, chain, cursor.fetchall()


@pytest.mark.parametrize("conflict", ["use_variable", "use_column"])
def test_the_program_works_with_adverse_superuser_settings(cluster, tmp_path, conflict):
    """The default of plpgsql.variable_conflict rejects what the other values interpret differently."""
    database = cluster.new_database()
    values = {**ADVERSE_OF_SUPERUSERS, "plpgsql.variable_conflict": conflict}
    admin(cluster, "postgres", *adverse.settings(database, values))
    server = Server(cluster.conninfo(database, SERVER), tmp_path, rate_limits="off").start()
    try:
        play(server)
    finally:
        assert server.stop() == 0, server.log()[-3000:]
    assert "statement_failed" not in server.log()
    cluster.drop_database(database)


def test_the_program_works_with_adverse_database_settings(cluster, tmp_path):
    database = cluster.new_database()
    make_adverse(cluster, database)
    server = Server(cluster.conninfo(database, SERVER), tmp_path, rate_limits="off").start()
    try:
        mia, mail = play(server)
        connection = cluster.session(database, settings={})
        connection.autocommit = True
        with connection.cursor() as cursor:
            cursor.execute("SELECT email FROM credentials WHERE player_id = %s", (mia.player["id"],))
            assert cursor.fetchall() == [(f"info.{mail}i@example.com",)]
            cursor.execute("SELECT do_seal_ledger(1000)")
        connection.close()
    finally:
        assert server.stop() == 0, server.log()[-3000:]
    pinned = ledger(cluster, database, {})
    unpinned = ledger(cluster, database, {name: ADVERSE[name] for name in FORMATS})
    assert pinned == unpinned and len(pinned[0]) > 2 and len(pinned[1]) > 2 and pinned[2] == []
    cluster.drop_database(database)


@pytest.mark.parametrize(
    "locale",
    [
        "LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'",
        "LOCALE_PROVIDER icu ICU_LOCALE 'az-AZ' LOCALE 'C'",
        "LOCALE_PROVIDER icu ICU_LOCALE 'lt-LT' LOCALE 'C'",
        "LOCALE_PROVIDER libc LOCALE 'C'",
    ],
)
def test_the_program_works_in_every_locale(cluster, tmp_path, locale):
    database = f"locale_{uuid.uuid4().hex[:8]}"
    admin(
        cluster,
        "postgres",
        f"CREATE DATABASE {database} OWNER {OWNER} TEMPLATE template0 ENCODING 'UTF8' {locale}",
    )
    try:
        server = Server(
            cluster.conninfo(database), tmp_path, rate_limits="off"
        ).start()  # its owner creates the tables
        try:
            mia, mail = play(server)
        finally:
            assert server.stop() == 0, server.log()[-3000:]
        connection = cluster.connect(database)
        with connection.cursor() as cursor:
            cursor.execute("SELECT email FROM credentials WHERE player_id = %s", (mia.player["id"],))
            assert cursor.fetchall() == [(f"info.{mail}i@example.com",)]
            cursor.execute("SELECT * FROM q_ledger_check()")
            assert cursor.fetchall() == []
        connection.close()
    finally:
        cluster.drop_database(database)


def test_text_is_never_folded_by_the_database_locale():
    """lower, upper, and the like fold by the database's locale unless they have COLLATE "C" (or take no
    text)."""
    for path in [ROOT / "schema.sql", *(ROOT / "db").glob("**/*.sql")]:
        code = re.sub(r"--[^\n]*|\nCOMMENT ON.*?';\n", "", path.read_text(), flags=re.S)
        for call in re.findall(r"\b(?:lower|upper|initcap)\([^;]*?\)|\bILIKE\b|~~?\*", code, re.S):
            assert (
                'COLLATE "C"' in call
                or call in ("lower(r)", "upper(r)", "lower(TG_OP)")
                or "gen_random_uuid" in call
            ), f"{path}: {call}"
