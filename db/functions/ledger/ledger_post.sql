CREATE OR REPLACE FUNCTION ledger_post(p_cause text, p_key text, p_table bigint, p_note text,
                                       p_legs ledger_leg[])
    RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_id bigint;
BEGIN
    INSERT INTO transfers (cause, key, table_id, note) VALUES (p_cause, p_key, p_table, p_note)
    ON CONFLICT (key) DO NOTHING RETURNING id INTO v_id;
    IF v_id IS NOT NULL THEN
        INSERT INTO postings (transfer_id, account_id, amount, reason)
        SELECT v_id, l.account_id, l.amount, l.reason
        FROM unnest(p_legs) WITH ORDINALITY AS l (account_id, amount, reason, n)
        WHERE l.amount <> 0
        ORDER BY l.n;
    END IF;
    RETURN v_id;
END $$;

COMMENT ON FUNCTION ledger_post IS
'Writes a transfer and all its lines in one statement; lines of 0 are left out. Returns the transfer. The
caller holds the locks of the players.
Key: p_key, used once. NULL: it was used before, and nothing was done. Raises if the lines do not balance or a
purse would fall below zero.
Called by add_to_counter, add_to_quests, do_credit, entry_pay, entry_refund, forfeit_chips, pay_grant,
prize_pay, refund_post, shop_post, welcome_player.';
