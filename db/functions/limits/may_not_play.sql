CREATE OR REPLACE FUNCTION may_not_play(p_player bigint) RETURNS boolean
    LANGUAGE sql STABLE AS $$
    SELECT EXISTS (SELECT 1 FROM players
                   WHERE id = p_player AND (banned_at IS NOT NULL OR deleted_at IS NOT NULL))
           OR EXISTS (SELECT 1 FROM deletions WHERE player_id = p_player)
           OR EXISTS (SELECT 1 FROM play_limits WHERE player_id = p_player)
              AND limit_of(p_player, 'exclusion') > extract(epoch FROM now())
$$;

COMMENT ON FUNCTION may_not_play IS
'Whether a player must not begin a game: they are banned, deleted or being deleted, or have excluded
themselves.
Called by do_invite_friend, tournament_part.';
