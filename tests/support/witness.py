"""Records the database rows that requests change, to prove that a refused request changes nothing."""

import re

from .cluster import ROOT

# Tables to which even refused requests write, with the reasons.
REFUSED_TOO = {
    "audit": "each call by an operator is logged, even a refused one",
    "idempotency": "a refusal is stored, too: the same key gets it again",
    "admin_answers": "the same, for operators",
    "login_attempts": "failed sign-ins are counted",
}
# Statements that the first REST loop sends on a timer, over the connections that requests use. Each of them
# can run during any request.
UPKEEP = re.findall(
    r'struct db_stmt do_\w+ = \{"\w+", "([^"]+)", 0\};', (ROOT / "server/http/upkeep.c").read_text()
)
assert len(UPKEEP) == 7, "server/http/upkeep.c has changed its form"


class Witness:
    """Records every row that a statement of a request inserts, changes, or deletes. The hub, the journal,
    the mailer, and upkeep write at any time, but use other connections or, in the case of upkeep, other
    statements."""

    def __init__(self, sql):
        self.sql = sql
        sql(
            "CREATE TABLE witness (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at_table text, how"
            " text, what text)"
        )
        sql(
            """CREATE FUNCTION witness_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER
               SET search_path = public, pg_temp AS $$
               BEGIN
                   IF current_setting('application_name') = 'rummyd rest'
                      AND current_query() <> ALL (TG_ARGV[1:]) THEN
                       INSERT INTO witness (at_table, how, what)
                       VALUES (TG_ARGV[0], TG_OP, left(CASE WHEN TG_OP = 'DELETE' THEN OLD::text
                           ELSE NEW::text END, 500));
                   END IF;
                   RETURN NULL;
               END $$"""
        )
        self.tables = [
            row[0]
            for row in sql(
                "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind"
                " IN ('r', 'p') AND NOT c.relispartition AND c.relname <> 'witness' ORDER BY 1"
            )
        ]
        upkeep = ", ".join(f"'{statement}'" for statement in UPKEEP)
        for table in self.tables:
            sql(
                f"CREATE TRIGGER zz_witness AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE"
                f" FUNCTION witness_row('{table}', {upkeep})"
            )

    def mark(self):
        return self.sql("SELECT coalesce(max(id), 0) FROM witness")[0][0]

    def since(self, mark):
        """(table, operation, row) of each write."""
        return self.sql("SELECT at_table, how, what FROM witness WHERE id > %s ORDER BY id", mark)

    def unexpected(self, mark, may=()):
        """The same without the writes that a refused request may cause."""
        return [row for row in self.since(mark) if row[0] not in may]
