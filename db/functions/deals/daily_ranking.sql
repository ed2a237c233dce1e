CREATE OR REPLACE FUNCTION daily_ranking(p_player bigint, OUT ranked boolean, OUT proved boolean,
                                         OUT games bigint, OUT games_min bigint)
    LANGUAGE plpgsql STABLE AS $$
BEGIN
    proved := is_proved(p_player);
    games := (SELECT coalesce(sum(r.games), 0) FROM ratings r
              WHERE r.player_id = p_player AND r.period = 'all' AND NOT r.bot);
    games_min := setting_int('daily_rated_games_min');
    ranked := proved AND games >= games_min;
END $$;

COMMENT ON FUNCTION daily_ranking IS
'Whether a play of a daily deal that a player begins now is ranked, and the requirements: a confirmed way to
sign in and daily_rated_games_min rated games in which they took part. So a player cannot use guest accounts
to get several plays onto the board.
Called by do_daily_play, q_daily_deals.';
