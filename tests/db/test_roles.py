"""The three roles: each privilege is listed once, each is needed, and no others exist. (For attacks with
the server's role see tests/db/test_attacks.py.)"""

import os
import re
import subprocess

import psycopg2.errors as pg
import pytest
from sources import ROOT, SCHEMA, definitions, statements
from support.cluster import OWNER, READER, RUMMYD, SERVER
from support.server import Server
from support.wait import HANG_S

GRANTS = (ROOT / "db" / "grants.sql").read_text()
TABLES = set(re.findall(r"^CREATE (?:UNLOGGED )?TABLE (\w+)", SCHEMA, re.M))
# Statements of operators' commands, run as the owner (migrate, keys) or the read role (ledger checks).
COMMANDS = ("db/migrate.c", "db/plan.c", "db/grants.c", "server/cli/api_key.c", "api/names/name_rekey.c")
PROOFS = ("ledger_problems", "ledger_problems_since", "ratings_problems")
AT_THE_START = (
    "migrate_state",
    "migrate_list",
    "grants_given",
)  # of `serve`, to find out whether a migration is due
SECRETS = {
    "admin_answers",
    "api_keys",
    "audit",
    "bot_tokens",
    "credentials",
    "daily_days",
    "deliveries",
    "export_parts",
    "guest_devices",
    "idempotency",
    "identities",
    "identity_flows",
    "invite_codes",
    "known_devices",
    "link_requests",
    "login_attempts",
    "login_challenges",
    "mail_proofs",
    "mails",
    "passkey_challenges",
    "passkey_handles",
    "passkeys",
    "player_notes",
    "push_devices",
    "push_settings",
    "puzzle_days",
    "puzzle_games_due",
    "puzzle_mining",
    "puzzle_players",
    "puzzle_tries",
    "puzzles",
    "recovery_codes",
    "refresh_tokens",
    "sessions",
    "tickets",
    "totp_factors",
    "tournament_secrets",
    "webhook_endpoints",
    "webhook_secrets",
}
# Columns that the server reads only through functions: seeds of hidden cards, and records that show them.
HIDDEN = {
    "deals": {"seed"},
    "games": {"server_seed"},
    "hands": {"server_seed", "record"},
    "tables": {"server_seed"},
    "tournament_deals": {"seed"},
}
WRITES = re.compile(
    r"\bINSERT\s+INTO|\bUPDATE\s+[\w.]+\s+(?:\w+\s+)?SET\b|\bDELETE\s+FROM|\bFOR (?:NO KEY )?UPDATE|\bFOR"
    r" (?:KEY )?SHARE|\bEXECUTE\b"
)


def listed(what, role):
    """The names in each GRANT of the kind, in order."""
    return [
        re.split(r",\s+", names.strip())
        for names in re.findall(rf'^GRANT {what}\n([\w\s,]*)\nTO ":{role}";', GRANTS, re.M)
    ]


class Tree:
    """Callers and readers, from the source."""

    def __init__(self):
        self.texts = {
            name: re.sub(r"--[^\n]*", "", text.split("(", 1)[1])
            for name, (_, text, _) in definitions().items()
        }
        self.found = [(str(path), name, sql) for path, name, sql in statements()]
        used = [
            sql
            for path, name, sql in self.found
            if name in AT_THE_START or (path not in COMMANDS and name != "ratings_problems")
        ]
        self.served = " ".join(used)

    def called(self, text):
        return {word for word in re.findall(r"\b(\w+)\(", text) if word in self.texts}

    def closure(self, names):
        seen, todo = set(), list(names)
        while todo:
            name = todo.pop()
            if name not in seen:
                seen.add(name)
                todo += self.called(self.texts[name])
        return seen

    @staticmethod
    def read(text):
        return {
            word
            for word in re.findall(r"(?:\b(?:FROM|JOIN)\b|,)\s+(?:public\.)?(\w+)\b", text)
            if word in TABLES
        }

    def writes(self, name):
        return any(WRITES.search(self.texts[each]) for each in self.closure([name]))

    def secret(self, name):
        return any(
            self.read(self.texts[each]) & SECRETS or self.hidden(self.texts[each])
            for each in self.closure([name])
        )

    def hidden(self, text):
        return any(
            re.search(rf"\b{column}\b", text)
            for table in self.read(text) & set(HIDDEN)
            for column in HIDDEN[table]
        )


@pytest.fixture(scope="module")
def tree():
    return Tree()


@pytest.fixture(scope="module")
def rows(cluster, database):
    connection = cluster.connect(database)

    def run(sql, *args):
        with connection.cursor() as cursor:
            cursor.execute(sql, args)
            return cursor.fetchall()

    yield run
    connection.close()


# --- what is listed -----------------------------------------------------------------------------------------


def test_the_lists_are_sorted():
    for role in ("server", "read"):
        for names in listed("EXECUTE ON FUNCTION", role) + listed("SELECT ON", role):
            assert names == sorted(set(names))


def test_the_server_role_executes_exactly_the_functions_it_needs(tree):
    acts, reads = (set(names) for names in listed("EXECUTE ON FUNCTION", "server"))
    entries = tree.called(tree.served)
    expected = {name for name in entries if tree.writes(name) or tree.secret(name)}
    assert acts == expected, acts ^ expected
    expected = tree.closure(entries - acts)
    assert reads == expected, reads ^ expected


def test_the_server_role_reads_only_tables_of_its_statements(tree):
    (tables,) = (set(names) for names in listed("SELECT ON", "server"))
    _, reads = listed("EXECUTE ON FUNCTION", "server")
    expected = tree.read(tree.served).union(*(tree.read(tree.texts[name]) for name in reads))
    assert tables | set(HIDDEN) == expected and not tables & set(HIDDEN), tables ^ expected
    assert not tables & SECRETS


def test_the_server_s_own_statements_do_not_write(tree):
    assert not WRITES.search(tree.served)


def test_the_read_role_can_run_the_checks(tree):
    (names,) = (set(names) for names in listed("EXECUTE ON FUNCTION", "read"))
    proofs = tree.called(" ".join(sql for _, name, sql in tree.found if name in PROOFS))
    assert names == tree.closure(proofs) and not any(tree.writes(name) for name in names)


# --- what exists in a database ------------------------------------------------------------------------------


def test_the_server_role_has_exactly_the_listed_privileges(rows):
    acts, reads = listed("EXECUTE ON FUNCTION", "server")
    functions = rows(
        """SELECT proname, prosecdef, proconfig, has_function_privilege(%s, oid, 'EXECUTE') FROM pg_proc
                        WHERE pronamespace = 'public'::regnamespace""",
        SERVER,
    )
    assert sorted(name for name, _, _, granted in functions if granted) == sorted(acts + reads)
    for name, definer, config, _ in functions:
        guard = name in GUARDS_OF_THE_END
        assert definer == (name in acts or guard), name
        assert not definer or "search_path=public, pg_temp" in config, name
    (tables,) = listed("SELECT ON", "server")
    every = (
        "SELECT oid, relname FROM pg_class WHERE relnamespace = 'public'::regnamespace AND relkind IN ('r',"
        " 'p')"
    )
    may = f"SELECT relname FROM ({every}) t WHERE has_table_privilege(%s, oid, %s)"
    assert sorted(name for (name,) in rows(may, SERVER, "SELECT")) == tables
    assert rows(may, SERVER, "INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER") == []
    numbers = """SELECT relname FROM pg_class WHERE relkind = 'S' AND relnamespace = 'public'::regnamespace
                 AND CASE relkind WHEN 'S' THEN has_sequence_privilege(%s, oid, %s) END ORDER BY 1"""
    assert rows(numbers, SERVER, "USAGE, UPDATE") == []
    assert rows(numbers, SERVER, "SELECT") == [
        ("accounts_id_seq",),
        ("postings_id",),
        ("transfers_id_seq",),
    ]  # used by the ledger check
    listed_columns = rows(
        "SELECT attrelid::regclass::text, attname FROM pg_attribute WHERE attacl IS NOT NULL AND attrelid >"
        " 16383 ORDER BY 1, 2"
    )
    assert listed_columns == sorted(
        (table, column)
        for table, column in rows(
            "SELECT table_name::text, column_name::text FROM information_schema.columns WHERE table_schema ="
            " 'public' AND table_name = ANY (%s)",
            list(HIDDEN),
        )
        if column not in HIDDEN[table]
    )


# Names or types that look like secrets but are not, or that this role needs.
SHOWN = {
    "deals.client_seed": "told",
    "games.commit": "published",
    "game_players.client_seed": "of a game that is over",
    "hands.commit": "published",
    "hands.client_seeds": "clients'; says nothing without the server's",
    "journal.move": "its node plays them again",
    "journal.hash": "a checksum",
    "seats.client_seed": "clients'",
    "tables.commit": "published",
    "tournaments.commit": "published",
    "tournaments.clients": "a hash of clients'",
    "tournaments.deal_commit": "published",
    "tournament_deals.commit": "published",
    "tournament_draws.seed": "a link that the draw has shown",
    "tournament_draws.clients": "published",
    "tournament_entries.client_seed": "clients'",
    "tournament_entries.lot": "drawn, and shown",
    "tournament_seats.lot": "drawn, and shown",
    "ledger_chain.hash": "published",
    "ledger_heads.hash": "published",
    "ledger_seal.hash": "published",
    "shop_orders.body_hash": "of a request, to know a repeat by",
    "schema_migrations.checksum": "of files",
    "schema_state.base": "of files",
    "schema_state.code": "of files",
}


def test_the_server_role_cannot_read_seeds_of_hidden_cards(rows):
    """The role may read a column that looks like a secret, by name or type, only if it is listed here with
    a reason."""
    suspicious = rows(
        """SELECT c.table_name || '.' || c.column_name FROM information_schema.columns c
                         WHERE c.table_schema = 'public'
                             AND (c.column_name ~ 'seed|secret|sealed|hash|password' OR c.data_type = 'bytea')
                               AND has_column_privilege(%s, 'public.' || c.table_name, c.column_name,
                               'SELECT')
                               AND NOT EXISTS (SELECT FROM pg_inherits
                               WHERE inhrelid = ('public.' || c.table_name)::regclass)""",
        SERVER,
    )
    found = {name for (name,) in suspicious}
    assert found <= set(SHOWN), found - set(SHOWN)


@pytest.mark.parametrize("table", sorted(HIDDEN))
def test_a_hidden_column_is_refused(cluster, database, table):
    for what in [*HIDDEN[table], "*"]:
        with pytest.raises(pg.InsufficientPrivilege):
            run(cluster, database, f"SELECT {what} FROM {table}", SERVER)
    with pytest.raises(pg.InsufficientPrivilege):
        run(
            cluster,
            database,
            "SELECT seed FROM daily_days UNION ALL SELECT seed FROM tournament_secrets",
            SERVER,
        )
    assert run(cluster, database, f"SELECT count(*) FROM {table}", SERVER) == [(0,)]


def test_the_read_role_can_read_everything_and_write_nothing(rows):
    (functions,) = listed("EXECUTE ON FUNCTION", "read")
    assert (
        sorted(
            name
            for (name,) in rows(
                "SELECT proname FROM pg_proc WHERE pronamespace = 'public'::regnamespace"
                " AND has_function_privilege(%s, oid, 'EXECUTE')",
                READER,
            )
        )
        == functions
    )
    for kind, right in (("r", "table"), ("p", "table"), ("S", "sequence")):
        may = (
            "SELECT relname FROM pg_class WHERE relnamespace = 'public'::regnamespace"
            f" AND CASE relkind WHEN %s THEN has_{right}_privilege(%s, oid, %s) = %s END"
        )
        assert rows(may, kind, READER, "SELECT", False) == []
        more = {
            "table": "INSERT, UPDATE, DELETE, TRUNCATE, REFERENCES, TRIGGER",
            "sequence": "USAGE, UPDATE",
        }[right]
        assert rows(may, kind, READER, more, True) == []


def test_neither_role_can_create_anything(rows):
    for role in (SERVER, READER):
        assert rows(
            "SELECT rolsuper OR rolcreaterole OR rolcreatedb OR rolreplication OR rolbypassrls FROM pg_roles"
            " WHERE rolname = %s",
            role,
        ) == [(False,)]
        assert rows(
            "SELECT has_database_privilege(%s, current_database(), 'CREATE, TEMPORARY'),"
            " has_schema_privilege(%s, 'public', 'CREATE')",
            role,
            role,
        ) == [(False, False)]
        assert rows("SELECT count(*) FROM pg_auth_members WHERE member = %s::regrole", role) == [(0,)]
        assert rows(
            """SELECT count(*) FROM pg_shdepend WHERE refobjid = %s::regrole AND deptype = 'o'""", role
        ) == [(0,)]


# Guards that PostgreSQL calls at the end of a transaction, with the privileges of the role that began it.
GUARDS_OF_THE_END = (
    "ledger_balance_posted",
    "ledger_transfer_posted",
    "shop_order_proven",
    "shop_transfer_of_order",
    "tournament_pot_empty",
)


def test_guards_find_our_tables_and_no_others(rows):
    """Each ENABLE ALWAYS trigger and each function of the checks sets its own search path, whoever calls
    it."""
    guards = dict(
        rows(
            """SELECT p.proname, p.proconfig FROM pg_proc p
                          WHERE p.oid IN (SELECT tgfoid FROM pg_trigger WHERE tgenabled = 'A')
                          OR p.proname IN ('q_ledger_check', 'q_ledger_since', 'q_shop_check',
                          'limit_order_guard', 'limit_seat_guard')"""
        )
    )
    assert len(guards) >= 20
    for name, config in guards.items():
        assert "search_path=public, pg_temp" in (config or []), name
    texts = {
        name: text
        for name, (_, text, _) in definitions().items()
        if name in guards and not name.startswith("q_")
    }
    for name, text in texts.items():
        bare = re.findall(rf"\b(?:FROM|JOIN|UPDATE|INTO)\s+({'|'.join(TABLES)}|\w+_id|\w+_seq)\b", text)
        assert not bare, f"{name} should say public.{bare}"
    at_the_end = rows(
        "SELECT DISTINCT tgfoid::regproc::text FROM pg_trigger WHERE tgdeferrable AND NOT tgisinternal ORDER"
        " BY 1"
    )
    assert tuple(name for (name,) in at_the_end) == GUARDS_OF_THE_END


# --- how roles are set up -----------------------------------------------------------------------------------


def migrate(conninfo, *flags):
    return subprocess.run([RUMMYD, "migrate", f"--db={conninfo}", *flags], capture_output=True, text=True)


def refused(conninfo, why, *flags):
    done = migrate(conninfo, *flags)
    assert done.returncode == 1 and why in done.stderr and done.stderr.count("\n") == 1, done


@pytest.fixture
def empty(cluster):
    name = cluster.new_database(migrated=False)
    yield name
    cluster.drop_database(name)


@pytest.fixture
def fresh(cluster):
    """A migrated database for one test: a copy takes a tenth of the time of a migration."""
    name = cluster.new_database()
    yield name
    cluster.drop_database(name)


def test_invalid_owners_and_roles_are_refused(cluster, empty):
    refused(cluster.conninfo(empty, "postgres"), "postgres is a superuser")
    refused(cluster.conninfo(empty, SERVER), "the role rummyd is not to own the database")
    refused(cluster.conninfo(empty, READER), "the role rummyd_read is not to own the database")
    refused(
        cluster.conninfo(empty),
        "there is no nobody, nowhere",
        "--db_server_role=nobody",
        "--db_read_role=nowhere",
    )
    refused(cluster.conninfo(empty), "cannot be both the server's and the readers'", "--db_read_role=rummyd")
    refused(cluster.conninfo(empty), "db_server_role", "--db_server_role=Robert'); DROP TABLE accounts")
    connection = cluster.connect(empty)
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_class WHERE relnamespace = 'public'::regnamespace")
        assert cursor.fetchone() == (0,)
    connection.close()


def test_only_the_owner_can_migrate_the_database(cluster, empty):
    assert migrate(cluster.conninfo(empty)).stdout == "created a new database\n"
    for role in (SERVER, READER):  # with nothing to migrate, there is nothing to refuse
        assert migrate(cluster.conninfo(empty, role)).returncode == 0
    run(cluster, empty, "UPDATE schema_state SET code = 'older'")
    for role in (SERVER, READER, "postgres"):
        refused(cluster.conninfo(empty, role), "the database belongs to the role rummyd_owner, which alone")
    assert "functions replaced" in migrate(cluster.conninfo(empty)).stdout


def run(cluster, name, sql, user=OWNER):
    connection = cluster.connect(name, user)
    with connection.cursor() as cursor:
        cursor.execute(sql)
        found = cursor.fetchall() if cursor.description else None
    connection.close()
    return found


def test_lost_grants_are_restored(cluster, fresh):
    """Grants can be missing after a restore; they are restored once."""
    run(
        cluster,
        fresh,
        "REVOKE ALL ON ALL TABLES IN SCHEMA public FROM rummyd, rummyd_read; GRANT TEMP ON DATABASE "
        + fresh
        + " TO PUBLIC;GRANT INSERT ON postings TO rummyd; GRANT EXECUTE ON FUNCTION do_credit TO PUBLIC",
    )
    refused(
        cluster.conninfo(fresh, SERVER),
        "the database grants nothing to this role; `rummyd migrate` as its owner does",
    )
    assert "functions unchanged" in migrate(cluster.conninfo(fresh)).stdout
    assert run(cluster, fresh, "SELECT count(*) FROM players", SERVER) == [(0,)]
    for sql in (
        "CREATE TEMP TABLE t (n integer)",
        "INSERT INTO postings DEFAULT VALUES",
        "SELECT do_credit(1, 'gold', 1, 'grant', 'x', '')",
    ):
        with pytest.raises(pg.InsufficientPrivilege):
            run(cluster, fresh, sql, SERVER)


def test_an_operator_s_function_keeps_its_privileges(cluster, fresh):
    run(
        cluster,
        fresh,
        "CREATE FUNCTION figures() RETURNS integer LANGUAGE sql AS 'SELECT 1'; UPDATE schema_state SET code ="
        " 'older'",
    )
    assert migrate(cluster.conninfo(fresh)).returncode == 0
    assert run(cluster, fresh, "SELECT figures()", READER) == [(1,)]


def test_roles_can_have_other_names(cluster, empty):
    """Two operators share a cluster: the roles of one have no privileges in the other's database."""
    run(cluster, "postgres", "CREATE ROLE other_server LOGIN; CREATE ROLE other_read LOGIN", "postgres")
    try:
        assert (
            migrate(
                cluster.conninfo(empty), "--db_server_role=other_server", "--db_read_role=other_read"
            ).returncode
            == 0
        )
        assert run(cluster, empty, "SELECT count(*) FROM players", "other_server") == [(0,)]
        assert run(cluster, empty, "SELECT count(*) FROM api_keys", "other_read") == [(0,)]
        for user in (SERVER, READER):
            with pytest.raises(pg.InsufficientPrivilege):
                run(cluster, empty, "SELECT count(*) FROM players", user)
    finally:
        cluster.drop_database(empty)
        run(cluster, "postgres", "DROP ROLE other_server, other_read", "postgres")


def test_partitions_created_later_are_readable(cluster, database):
    run(cluster, database, "SELECT job_step_of('partition_upkeep', now()) FROM generate_series(1, 40)")
    made = [
        name
        for (name,) in run(
            cluster,
            database,
            "SELECT c.relname FROM pg_inherits i JOIN pg_class c ON c.oid = i.inhrelid"
            " WHERE c.relkind = 'r' AND c.relname !~ '_default$'",
        )
    ]
    assert len(made) > 4
    for name in made:
        assert run(cluster, database, f"SELECT count(*) FROM {name}", READER) == [(0,)]
        with pytest.raises(pg.InsufficientPrivilege):
            run(cluster, database, f"INSERT INTO {name} DEFAULT VALUES", SERVER)


def serve(conninfo):
    return subprocess.run(
        [RUMMYD, "serve", f"--db={conninfo}", "--http_port=1", "--ws_port=2"],
        capture_output=True,
        text=True,
        env={**os.environ, "RUMMYD_JWT_SECRET": os.urandom(32).hex()},
        timeout=HANG_S,
    )


@pytest.mark.parametrize(
    "excess, sql",
    [
        ("owns the tables", None),
        ("is a superuser", None),
        ("may make roles", "ALTER ROLE mighty CREATEROLE"),
        ("owns the tables", "GRANT rummyd_owner TO mighty"),
        ("may write tables", "GRANT UPDATE ON accounts TO mighty"),
        ("may write tables", "GRANT pg_write_all_data TO mighty"),
        ("may make tables", "GRANT CREATE ON SCHEMA public TO mighty"),
        ("may make temporary tables", "GRANT TEMPORARY ON DATABASE {} TO mighty"),
        (
            "runs with session_replication_role = replica",
            "ALTER ROLE mighty IN DATABASE {} SET session_replication_role = replica",
        ),
    ],
)
def test_a_server_with_excess_privileges_does_not_start(cluster, fresh, excess, sql):
    """This applies without --dev, because an attacker with the server's role could remove the guards."""
    user = "mighty" if sql else OWNER if excess == "owns the tables" else "postgres"
    if sql:
        run(
            cluster,
            fresh,
            "CREATE ROLE mighty LOGIN; GRANT SELECT ON ALL TABLES IN SCHEMA public TO mighty; "
            + sql.format(fresh),
            "postgres",
        )
    try:
        done = serve(cluster.conninfo(fresh, user))
    finally:
        if sql:
            run(cluster, fresh, "DROP OWNED BY mighty; DROP ROLE mighty", "postgres")
    assert done.returncode == 1, done.stderr
    assert f"db: the role {user} {excess}, which a server's role must not" in done.stderr, done.stderr


def test_in_dev_mode_the_owner_can_serve_with_a_warning(cluster, empty, tmp_path):
    """On a development machine the server creates the database and grants the privileges of its role."""
    server = Server(cluster.conninfo(empty), tmp_path).start()
    assert server.stop() == 0
    assert server.logged('"role_may_too_much"') and server.logged("the role rummyd_owner owns the tables")
    server = Server(cluster.conninfo(empty, SERVER), tmp_path).start()
    told = len(server.log().split('"role_may_too_much"'))
    assert server.stop() == 0 and told == 2


def test_an_operator_can_install_without_a_superuser(cluster):
    """db/roles.sql as a role that may create roles and databases; a second run has no effect."""
    run(cluster, "postgres", "CREATE ROLE landlord LOGIN CREATEROLE CREATEDB", "postgres")
    names = {"owner": "third_owner", "server": "third", "read": "third_read", "database": "third"}
    command = ["psql", "-Xq", "-d", cluster.conninfo("postgres", "landlord"), "-f", ROOT / "db" / "roles.sql"]
    for name, value in names.items():
        command += ["-v", f"{name}={value}"]
    try:
        for _ in range(2):
            done = subprocess.run(command, capture_output=True, text=True)
            assert done.returncode == 0 and "ERROR" not in done.stderr, done
        assert run(
            cluster, "third", "SELECT pg_get_userbyid(datdba) FROM pg_database WHERE datname = 'third'"
        ) == [("third_owner",)]
        flags = ("--db_server_role=third", "--db_read_role=third_read")
        assert migrate(cluster.conninfo("third", "third_owner"), *flags).stdout == "created a new database\n"
        assert run(cluster, "third", "SELECT count(*) FROM rooms", "third") == [(6,)]
    finally:
        for sql in (
            "DROP DATABASE IF EXISTS third",
            "DROP ROLE IF EXISTS third_owner, third, third_read",
            "DROP ROLE landlord",
        ):
            run(cluster, "postgres", sql, "postgres")
