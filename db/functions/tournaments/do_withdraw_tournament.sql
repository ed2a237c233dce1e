CREATE OR REPLACE FUNCTION do_withdraw_tournament(p_player bigint, p_tournament bigint)
    RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_tournament tournaments;
    v_entry      tournament_entries;
    v_code       text;
BEGIN
    SELECT * INTO v_tournament FROM tournaments WHERE id = p_tournament FOR NO KEY UPDATE;
    PERFORM lock_players(ARRAY[p_player]);
    SELECT * INTO v_entry FROM tournament_entries WHERE tournament_id = p_tournament AND player_id = p_player;
    v_code := CASE WHEN v_tournament.id IS NULL THEN 'no_such_tournament'
                   WHEN v_entry.player_id IS NULL THEN 'not_entered'
                   WHEN v_tournament.state NOT IN ('open', 'running') THEN 'tournament_over'
                   WHEN v_tournament.state = 'running' THEN 'tournament_begun'
                   ELSE 'ok' END;
    IF v_code = 'ok' THEN
        PERFORM entry_back(p_tournament, p_player);
    END IF;
    RETURN QUERY SELECT v_code;
END $$;

COMMENT ON FUNCTION do_withdraw_tournament IS
'Withdraws the player''s entry before the tournament begins; the fee is refunded exactly.
Refusals: no_such_tournament, not_entered, tournament_over, tournament_begun.
Locks: the tournament, then the player.
Called by api.';
