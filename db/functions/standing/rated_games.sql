CREATE OR REPLACE FUNCTION rated_games(p_player bigint) RETURNS bigint
    LANGUAGE sql STABLE AS $$
    SELECT coalesce(sum(rated), 0)::bigint FROM player_stats WHERE player_id = p_player
$$;

COMMENT ON FUNCTION rated_games IS
'Number of rated games in which a player has taken part, in all variants.
Called by note_invites_due.';
