CREATE OR REPLACE FUNCTION do_redeem_ticket(p_ticket uuid, p_table bigint)
    RETURNS TABLE (code text, player_id bigint, seat smallint, delay_ms integer)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_ticket tickets;
    v_code   text;
    v_delay  integer;
BEGIN
    SELECT * INTO v_ticket FROM tickets
    WHERE id = p_ticket AND table_id IS NOT DISTINCT FROM p_table FOR NO KEY UPDATE;
    v_code := CASE WHEN v_ticket.id IS NULL THEN 'no_such_ticket'
                   WHEN v_ticket.used_at IS NOT NULL THEN 'ticket_used'
                   WHEN v_ticket.expires_at <= now() THEN 'ticket_expired'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        -- Asynchronous commit: if PostgreSQL crashes within moments, the ticket can be used again for the
        -- same seat until it expires, but a thousand players who reconnect at once do not queue for
        -- commits.
        PERFORM set_config('synchronous_commit', 'off', true);
        UPDATE tickets SET used_at = now() WHERE id = p_ticket;
        IF v_ticket.seat IS NULL THEN
            SELECT watch_delay_ms INTO v_delay FROM tables WHERE id = p_table;
        END IF;
    END IF;
    RETURN QUERY SELECT v_code, v_ticket.player_id, v_ticket.seat, coalesce(v_delay, 0);
END $$;

COMMENT ON FUNCTION do_redeem_ticket IS
'Uses up a ticket. p_table NULL: for the lobby. seat NULL: the ticket is for watching with a delay of
delay_ms, or for the lobby.
Refusals: no_such_ticket (also: of another table), ticket_used, ticket_expired.
Called by do_redeem_tickets.';

CREATE OR REPLACE FUNCTION do_redeem_tickets(p_tickets uuid[], p_tables bigint[])
    RETURNS TABLE (code text, player_id bigint, seat smallint, delay_ms integer)
    LANGUAGE plpgsql AS $$
BEGIN
    FOR i IN 1 .. cardinality(p_tickets) LOOP
        RETURN QUERY SELECT * FROM do_redeem_ticket(p_tickets[i], NULLIF(p_tables[i], 0));
    END LOOP;
END $$;

COMMENT ON FUNCTION do_redeem_tickets IS
'Uses up the tickets of all clients that connected during one iteration of a node''s loop, in one statement.
Tickets are redeemed in order, each as in do_redeem_ticket, so that if a ticket occurs twice, the first use
counts. Table 0 is the lobby.
Called by server.';
