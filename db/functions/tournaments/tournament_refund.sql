CREATE OR REPLACE FUNCTION tournament_refund(p_tournament tournaments, p_max integer) RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_players bigint[] := ARRAY(SELECT player_id FROM tournament_entries
                                WHERE tournament_id = p_tournament.id AND live AND player_id IS NOT NULL
                                ORDER BY player_id LIMIT p_max);
BEGIN
    PERFORM lock_players(v_players);
    PERFORM entry_refund(e) FROM tournament_entries e
    WHERE e.tournament_id = p_tournament.id AND e.player_id = ANY (v_players);
    UPDATE tournament_entries SET live = false
    WHERE tournament_id = p_tournament.id AND player_id = ANY (v_players);
    INSERT INTO notifications (player_id, kind, data)
    SELECT e.player_id, 'tournament_cancelled',
           jsonb_build_object('tournament_id', p_tournament.id::text, 'name', p_tournament.name,
                              'reason', p_tournament.reason, 'silver', e.paid_silver, 'gold', e.paid_gold)
    FROM tournament_entries e WHERE e.tournament_id = p_tournament.id AND e.player_id = ANY (v_players)
    ORDER BY e.entry_no;
    IF cardinality(v_players) < p_max THEN
        UPDATE tournaments SET state = 'cancelled', ended_at = now() WHERE id = p_tournament.id;
        PERFORM tournament_deals_open(p_tournament.id);
    END IF;
END $$;

COMMENT ON FUNCTION tournament_refund IS
'Refunds at most p_max entries of a canceled tournament; with the last one, the tournament is over.
Called by do_tournament_step.';
