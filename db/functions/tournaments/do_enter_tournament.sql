CREATE OR REPLACE FUNCTION do_enter_tournament(p_player bigint, p_tournament bigint, p_seed text,
                                               p_team bigint, p_idem_key text, p_body_hash bytea)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_tournament tournaments;
    v_player     players;
    v_entry      tournament_entries;
    v_answer     jsonb;
    v_team       integer;
    v_code       text;
BEGIN
    SELECT * INTO v_tournament FROM tournaments WHERE id = p_tournament FOR NO KEY UPDATE;
    SELECT * INTO v_player FROM players WHERE id = p_player AND deleted_at IS NULL FOR NO KEY UPDATE;
    IF v_player.id IS NULL THEN
        RETURN QUERY SELECT 'no_such_player', NULL::text;
        RETURN;
    END IF;
    v_answer := idempotent_answer(p_player, p_idem_key, 'enter_tournament:' || p_tournament, p_body_hash);
    IF v_answer IS NULL THEN
        SELECT * INTO v_entry FROM tournament_entries
        WHERE tournament_id = p_tournament AND player_id = p_player;
        v_team := coalesce(p_team, tournament_team_free(v_tournament));
        v_code := CASE
            WHEN v_player.banned_at IS NOT NULL THEN 'banned'
            WHEN v_tournament.id IS NULL THEN 'no_such_tournament'
            WHEN v_tournament.state NOT IN ('open', 'running') THEN 'tournament_over'
            WHEN p_team IS NOT NULL AND v_tournament.kind <> 'teams' THEN 'not_teams'
            WHEN v_entry.player_id IS NOT NULL THEN NULL
            WHEN v_tournament.state = 'running' AND (v_tournament.late_until > now()) IS NOT TRUE
            THEN 'entries_closed'
            WHEN v_tournament.people_n + v_tournament.bots_n >= v_tournament.entries_max
            THEN 'tournament_full'
            WHEN v_team IS NOT NULL AND (SELECT count(*) FROM tournament_entries e
                                         WHERE e.tournament_id = p_tournament AND e.team = v_team)
                                        >= v_tournament.seats_n THEN 'team_full'
            WHEN (SELECT count(*) FROM tournament_entries e WHERE e.player_id = p_player AND e.live)
                 >= setting_int('tournaments_per_player_max') THEN 'too_many_entries'
            WHEN (SELECT sum(balance) FROM accounts WHERE kind = 'purse' AND player_id = p_player)
                 < v_tournament.entry THEN 'no_funds' END;
        IF v_code IS NULL AND v_entry.player_id IS NULL THEN
            v_entry := entry_pay(v_tournament, p_player,
                                 coalesce(decode(p_seed, 'hex'), ''), v_team);
        END IF;
        v_answer := idempotent_keep(p_player, p_idem_key, 'enter_tournament:' || p_tournament, p_body_hash,
                                    v_code, jsonb_build_object('code', 'ok', 'body',
                                                               tournament_entry_json(v_entry)));
    END IF;
    RETURN QUERY SELECT v_answer->>'code', (v_answer->'body')::text;
END $$;

COMMENT ON FUNCTION do_enter_tournament IS
'Enters a tournament; also after its start while late entry is open. p_seed: contribution to the draws, in
hexadecimal; NULL: none. A player who has entered keeps their entry. p_team: in a match of two teams, 1 or
2; NULL: the smaller one.
Key: p_idem_key of the player, for this tournament.
Refusals: no_such_player, banned, no_such_tournament, tournament_over, not_teams, entries_closed,
tournament_full, team_full, too_many_entries, no_funds, idempotency_key_reused, and those of
limit_entry_guard.
Locks: the tournament, then the player.
Called by api.';
