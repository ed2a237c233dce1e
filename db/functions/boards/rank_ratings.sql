CREATE OR REPLACE FUNCTION rank_ratings(p_now ratings[], p_before ratings[]) RETURNS void
    LANGUAGE plpgsql
    SET enable_hashjoin = on AS $$
DECLARE
    v_games_min bigint := setting_int('rating_games_min');
BEGIN
    WITH kinds (kind, bot, listed) AS (
        VALUES ('rating', false, v_games_min), ('clover', false, 0), ('wins', false, 0),
               ('rummies', false, 0),
               ('bot_rating', true, v_games_min), ('bot_wins', true, 0)
    ), scored AS MATERIALIZED (
        SELECT k.kind, r.variant, r.period, r.player_id, board_score(k.kind, r) AS score
        FROM unnest(p_now) r JOIN kinds k USING (bot)
        WHERE r.games >= k.listed AND board_score(k.kind, r) > 0
        EXCEPT
        SELECT k.kind, r.variant, r.period, r.player_id, board_score(k.kind, r)
        FROM unnest(p_before) r JOIN kinds k USING (bot)
    ), named AS MATERIALIZED (
        SELECT d.kind, d.variant, d.period, coalesce(b.id, board_of(d.kind, d.variant, d.period)) AS board_id
        FROM (SELECT DISTINCT kind, variant, period FROM scored) d
        LEFT JOIN boards b USING (kind, variant, period)
    )
    INSERT INTO board_entries AS e (board_id, player_id, score)
    SELECT n.board_id, s.player_id, s.score FROM scored s JOIN named n USING (kind, variant, period)
    ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score WHERE e.score <> excluded.score;
END $$;

COMMENT ON FUNCTION rank_ratings IS
'Applies rating changes to the boards, all in one statement. Bot accounts have separate boards.
Called by rank_ratings_insert, rank_ratings_update.';

CREATE OR REPLACE FUNCTION rank_ratings_insert() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM new_rows) THEN
        PERFORM rank_ratings(ARRAY(SELECT r::ratings FROM new_rows r), '{}');
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION rank_ratings_insert IS
'Applies new ratings to the boards.
Called by the trigger rank_ratings_insert of ratings.';

CREATE OR REPLACE FUNCTION rank_ratings_update() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    IF EXISTS (SELECT FROM new_rows) THEN
        PERFORM rank_ratings(ARRAY(SELECT r::ratings FROM new_rows r),
                             ARRAY(SELECT r::ratings FROM old_rows r));
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION rank_ratings_update IS
'Applies changed ratings to the boards.
Called by the trigger rank_ratings_update of ratings.';
