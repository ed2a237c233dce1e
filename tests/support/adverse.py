"""Settings that our connections pin (db/session.def), and adverse values that a database may have. With
RUMMY_TEST_ADVERSE=1 every test database has the adverse values and Turkish collation, and the tests connect
as the program does: a test that passes depends on none of them."""

import os
import pathlib
import re

ROOT = pathlib.Path(__file__).resolve().parents[2]
PINNED = dict(
    re.findall(r'^DB_SESSION\("([\w.]+)", "(.*)"\)$', (ROOT / "db" / "session.def").read_text(), re.M)
)
TESTS_PIN = {
    name: value for name, value in PINNED.items() if name != "rummyd.news"
}  # only connections that listen need it
WANTED = bool(os.environ.get("RUMMY_TEST_ADVERSE"))
LOCALE = "TEMPLATE template0 ENCODING 'UTF8' LOCALE_PROVIDER icu ICU_LOCALE 'tr-TR' LOCALE 'C'"

# Adverse values for every setting that changes a value, a statement, or what a statement may do.
ADVERSE = {
    "array_nulls": "off",
    "backslash_quote": "off",
    "bytea_output": "escape",
    "check_function_bodies": "off",
    "client_min_messages": "error",
    "datestyle": "SQL, DMY",
    "default_transaction_deferrable": "on",
    "default_transaction_isolation": "serializable",
    "default_transaction_read_only": "on",
    "escape_string_warning": "off",
    "exit_on_error": "on",
    "extra_float_digits": "-15",
    "gin_fuzzy_search_limit": "1",
    "idle_in_transaction_session_timeout": "50",
    "idle_session_timeout": "200",
    "intervalstyle": "iso_8601",
    "lock_timeout": "1",
    "plan_cache_mode": "force_custom_plan",
    "quote_all_identifiers": "on",
    "row_security": "off",
    "search_path": "pg_catalog",
    "standard_conforming_strings": "off",
    "statement_timeout": "5",
    "timezone": "Asia/Kathmandu",
    "transform_null_equals": "on",
    "xmlbinary": "hex",
    "xmloption": "document",
    "plpgsql.extra_errors": "all",
    "enable_seqscan": "off",
    "enable_hashjoin": "off",
    "synchronize_seqscans": "off",
    "default_text_search_config": "turkish",
    "work_mem": "64kB",
    "from_collapse_limit": "1",
    "join_collapse_limit": "1",
    "geqo_threshold": "2",
    "constraint_exclusion": "off",
    "synchronous_commit": "off",
}
# Settings that only a superuser can change, so our sessions cannot pin them.
ADVERSE_OF_SUPERUSERS = {
    "commit_delay": "100",
    "compute_query_id": "on",
    "deadlock_timeout": "1",
    "lc_messages": "C.UTF-8",
    "lo_compat_privileges": "on",
    "log_error_verbosity": "verbose",
    "log_min_messages": "debug1",
    "log_statement": "all",
    "max_stack_depth": "100kB",
    "plpgsql.print_strict_params": "on",
    "plpgsql.variable_conflict": "use_variable",
    "session_replication_role": "local",
    "temp_file_limit": "0",
    "track_activities": "off",
    "track_functions": "all",
    "track_io_timing": "on",
}
# These cost milliseconds per statement, so only a few statements run with them.
SLOW = {
    "jit_above_cost": "0",
    "parallel_setup_cost": "0",
    "parallel_tuple_cost": "0",
    "min_parallel_table_scan_size": "0",
    "min_parallel_index_scan_size": "0",
}


def settings(database, values):
    """Statements that apply the settings to a database."""
    return [
        f"ALTER DATABASE {database} SET {name} = " + (value if name == "search_path" else f"'{value}'")
        for name, value in values.items()
    ]


def escaped(value):
    """A value with each space escaped once; db/session.def has the backslashes of a C string."""
    return re.sub(r"\\* ", r"\\ ", value)


def options(values):
    """The connection parameter that pins these values, as in db/pg.c."""
    return " ".join(f"-c {name}={escaped(value)}" for name, value in values.items())
