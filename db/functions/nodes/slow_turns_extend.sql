CREATE OR REPLACE FUNCTION slow_turns_extend() RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_heard timestamptz;
BEGIN
    PERFORM pg_advisory_xact_lock(hashtextextended('rummyd slow turns', 0));
    SELECT max(alive_at) INTO v_heard FROM node_leases;
    IF v_heard < now() - make_interval(secs => setting_int('slow_outage_s')) THEN
        UPDATE slow_turns SET due_at = due_at + (now() - v_heard)
        WHERE due_at > v_heard AND due_at < now() + interval '1 day';
    END IF;
END $$;

COMMENT ON FUNCTION slow_turns_extend IS
'Extends correspondence turns after an outage of all nodes: those that ended during it, or end within a day,
are extended by its length. Later deadlines do not change, and short outages are ignored. The caller reports
itself in the same transaction, so that the next one finds no outage.
Called by do_node_renew, do_node_start.';
