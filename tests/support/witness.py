"""What requests change in the database, row by row: the proof that a request which is refused changes nothing."""

# Requests write these whatever becomes of them, and each says why.
REFUSED_TOO = {
    "audit": "each call of an operator leaves its line, also a refused one",
    "idempotency": "a refusal is an answer, too: the same key gets it again",
    "admin_answers": "the same, for operators",
    "login_attempts": "a log-in that fails is counted",
    "board_pieces": "the REST loops fold ratings into boards in passing",
}


class Witness:
    """Notes every row that the REST connections of a server insert, change or delete; the others (hub, journal, mailer …) work
    for themselves, whenever they like."""

    def __init__(self, sql):
        self.sql = sql
        sql("CREATE TABLE witness (id bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY, at_table text, how text, what text)")
        sql("""CREATE FUNCTION witness_row() RETURNS trigger LANGUAGE plpgsql SECURITY DEFINER SET search_path = public, pg_temp AS $$
               BEGIN
                   IF current_setting('application_name') = 'rummyd rest' THEN
                       INSERT INTO witness (at_table, how, what)
                       VALUES (TG_ARGV[0], TG_OP, left(CASE WHEN TG_OP = 'DELETE' THEN OLD::text ELSE NEW::text END, 500));
                   END IF;
                   RETURN NULL;
               END $$""")
        self.tables = [row[0] for row in sql(
            "SELECT c.relname FROM pg_class c WHERE c.relnamespace = 'public'::regnamespace AND c.relkind IN ('r', 'p')"
            " AND NOT c.relispartition AND c.relname <> 'witness' ORDER BY 1")]
        for table in self.tables:
            sql(f"CREATE TRIGGER zz_witness AFTER INSERT OR UPDATE OR DELETE ON {table} FOR EACH ROW EXECUTE FUNCTION witness_row('{table}')")

    def mark(self):
        return self.sql("SELECT coalesce(max(id), 0) FROM witness")[0][0]

    def since(self, mark):
        """(table, how, row) of all that was written."""
        return self.sql("SELECT at_table, how, what FROM witness WHERE id > %s ORDER BY id", mark)

    def unexpected(self, mark, may=()):
        """The same without what may be written by what is refused."""
        return [row for row in self.since(mark) if row[0] not in may]
