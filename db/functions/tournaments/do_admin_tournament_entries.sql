CREATE OR REPLACE FUNCTION do_admin_tournament_entries(p_key_hash bytea, p_tournament bigint,
                                                       p_after bigint, p_unused bigint,
                                                       p_unused_too bigint, p_limit bigint)
    RETURNS TABLE (code text, body text, at1 bigint, at2 bigint, at3 bigint)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
DECLARE
    v_call admin_call := admin_begin(p_key_hash, 'read:tournament_entries',
                                     jsonb_build_object('tournament', p_tournament), NULL, NULL);
    t      tournaments;
BEGIN
    SELECT * INTO t FROM tournaments WHERE id = p_tournament;
    v_call.answer := coalesce(v_call.answer, admin_end(
        v_call, CASE WHEN t.id IS NULL THEN 'no_such_tournament' ELSE 'ok' END, NULL));
    RETURN QUERY SELECT v_call.answer->>'code', '{}', NULL::bigint, NULL::bigint, NULL::bigint;
    IF v_call.answer->>'code' = 'ok' THEN
        RETURN QUERY
        SELECT 'ok', jsonb_build_object(
                   'entry', e.entry_no, 'team', e.team, 'player_id', e.player_id::text,
                   'nickname', coalesce(p.nickname, e.bot_name), 'bot', e.player_id IS NULL,
                   'silver', e.paid_silver, 'gold', e.paid_gold,
                   'back', t.state IN ('cancelling', 'cancelled') AND e.player_id IS NOT NULL AND NOT e.live,
                   'entered_at', rfc3339(e.entered_at), 'out_round', e.out_round, 'place', e.place,
                   'prize_silver', e.prize_silver, 'prize_gold', e.prize_gold)::text,
               e.entry_no::bigint, 0::bigint, 0::bigint
        FROM tournament_entries e LEFT JOIN players p ON p.id = e.player_id
        WHERE e.tournament_id = p_tournament AND e.entry_no > coalesce(p_after, 0)
        ORDER BY e.entry_no LIMIT p_limit;
    END IF;
END $$;

COMMENT ON FUNCTION do_admin_tournament_entries IS
'A page of the entries of a tournament in the order of their numbers: fees, prizes, and refunds; the first row
is the head.
Refusals: those of admin_begin, no_such_tournament.
Called by api.';
