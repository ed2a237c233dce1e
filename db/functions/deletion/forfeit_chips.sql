CREATE OR REPLACE FUNCTION forfeit_chips(p_player bigint) RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_legs ledger_leg[];
    v_last bigint;
BEGIN
    SELECT array_agg(ROW(l.account_id, l.amount, 'forfeit')::ledger_leg ORDER BY a.currency, l.amount)
    INTO v_legs
    FROM accounts a
    CROSS JOIN LATERAL (VALUES (a.id, -a.balance), (account_house('forfeit', a.currency), a.balance))
        AS l (account_id, amount)
    WHERE a.kind = 'purse' AND a.player_id = p_player AND a.balance > 0;
    IF v_legs IS NULL THEN
        RETURN 0;
    END IF;
    SELECT max((SELECT max(p.id) FROM postings p WHERE p.account_id = a.id)) INTO v_last
    FROM accounts a WHERE a.kind = 'purse' AND a.player_id = p_player;
    PERFORM ledger_post('forfeit', 'forfeit:' || p_player || ':' || v_last, NULL, '', v_legs);
    RETURN 1;
END $$;

COMMENT ON FUNCTION forfeit_chips IS
'Moves the chips in the purses of a deleted player to the house. The caller holds the player''s lock. Returns
the number of transfers.
Key of the transfer: `forfeit:<player>:<last posting of their purses>`.
Called by erase_player, erase_players_step.';
