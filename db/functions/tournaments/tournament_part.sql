CREATE OR REPLACE FUNCTION tournament_part(p_tournament bigint) RETURNS integer
    LANGUAGE plpgsql AS $$
DECLARE
    v_gone bigint[] := ARRAY(
        SELECT e.player_id FROM tournament_entries e
        WHERE e.tournament_id = p_tournament AND e.player_id IS NOT NULL AND NOT e.drawn
          AND may_not_play(e.player_id));
BEGIN
    PERFORM lock_players(v_gone);
    PERFORM entry_back(p_tournament, g.player_id) FROM unnest(v_gone) g (player_id);
    RETURN cardinality(v_gone);
END $$;

COMMENT ON FUNCTION tournament_part IS
'Refunds the entries of players who have no seat in a round yet and may no longer play: banned, being deleted,
or excluded. Returns how many. The caller has locked the tournament.
Called by tournament_end_late_entry, tournament_start.';
