CREATE OR REPLACE FUNCTION took_part(p_left boolean, p_turns integer, p_own_turns integer, p_percent bigint)
    RETURNS boolean
    LANGUAGE sql IMMUTABLE AS $$
    SELECT NOT p_left AND (p_turns IS NULL OR p_own_turns > 0 AND p_own_turns * 100 >= p_turns * p_percent)
$$;

COMMENT ON FUNCTION took_part IS
'Whether a player took part in a game: they had not left, and acted themselves in at least p_percent of their
turns (setting took_part_percent), at least once. p_turns NULL: the table did not count them. A seat that
never had a turn took part if another player did; settle_seats decides that. game_players.took_part has the
result for each seat of a finished game.
Called by settle_seats, settle_store_games, tournament_played.';
