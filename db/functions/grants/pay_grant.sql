CREATE OR REPLACE FUNCTION pay_grant(p_grant bigint, p_key bigint) RETURNS text
    LANGUAGE plpgsql AS $$
DECLARE
    g       chip_grants := (SELECT x FROM chip_grants x WHERE x.id = p_grant);
    v_purse bigint      := account_purse(g.player_id, g.currency);
    v_legs  ledger_leg[];
BEGIN
    PERFORM lock_players(ARRAY[g.player_id]);
    IF g.amount < 0 AND (SELECT balance FROM accounts WHERE id = v_purse) < -g.amount THEN
        RETURN 'purse_too_small';
    END IF;
    v_legs := CASE WHEN g.amount > 0 THEN credit_legs(g.player_id, g.currency, g.amount, 'grant')
                   ELSE ARRAY[ROW(account_house('grant', g.currency), -g.amount, 'grant'),
                              ROW(v_purse, g.amount, 'correction')]::ledger_leg[] END;
    PERFORM ledger_post('grant', 'operator:' || g.id, NULL, g.reason, v_legs);
    UPDATE chip_grants SET state = 'done', settled_at = now(), settled_by = p_key,
                           over_cap = coalesce((v_legs[4]).amount, 0)
    WHERE id = p_grant;
    RETURN 'ok';
END $$;

COMMENT ON FUNCTION pay_grant IS
'Gives or takes the chips of a grant; a correction can take no more than the purse has. The caller has
locked the row of the grant.
Key: operator:ID, used once.
Refusals: purse_too_small.
Locks: the player.
Called by do_admin_approve_grant, do_admin_grant.';
