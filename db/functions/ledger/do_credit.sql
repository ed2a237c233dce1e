CREATE OR REPLACE FUNCTION do_credit(p_player bigint, p_currency text, p_amount bigint, p_cause text,
                                     p_key text, p_note text)
    RETURNS TABLE (code text, lost bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_legs ledger_leg[];
BEGIN
    PERFORM lock_players(ARRAY[p_player]);
    IF account_purse(p_player, p_currency) IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', 0::bigint;
        RETURN;
    END IF;
    IF p_amount = 0 OR EXISTS (SELECT 1 FROM transfers WHERE key = p_key) THEN
        RETURN QUERY SELECT CASE WHEN p_amount = 0 THEN 'ok' ELSE 'already_done' END, 0::bigint;
        RETURN;
    END IF;
    v_legs := credit_legs(p_player, p_currency, p_amount, p_cause);
    RETURN QUERY SELECT CASE WHEN ledger_post(p_cause, p_key, NULL, p_note, v_legs) IS NULL
                             THEN 'already_done' ELSE 'ok' END, (v_legs[4]).amount;
END $$;

COMMENT ON FUNCTION do_credit IS
'Gives chips to a player. lost: silver over the cap. An amount of 0 is accepted, and nothing is written.
Key: p_key, that of the transfer.
Refusals: no_such_player, already_done.
Called by do_counts_due, monthly_prizes_step, season_prizes.';
