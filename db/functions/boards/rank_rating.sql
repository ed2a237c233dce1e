CREATE OR REPLACE FUNCTION rank_rating() RETURNS trigger
    LANGUAGE plpgsql AS $$
DECLARE
    v_kind   text;
    v_boards integer[] := '{}';
    v_scores bigint[] := '{}';
BEGIN
    FOREACH v_kind IN ARRAY ARRAY['rating', 'clover', 'wins', 'rummies'] LOOP
        IF (CASE v_kind WHEN 'rating' THEN NEW.games >= setting_int('rating_games_min')
                 ELSE board_score(v_kind, NEW) > 0 END)
           AND (TG_OP = 'INSERT' OR board_score(v_kind, NEW) <> board_score(v_kind, OLD)) THEN
            v_boards := v_boards || board_of(v_kind, NEW.variant, NEW.period);
            v_scores := v_scores || board_score(v_kind, NEW);
        END IF;
    END LOOP;
    IF cardinality(v_boards) > 0 THEN
        INSERT INTO board_entries AS e (board_id, player_id, score)
        SELECT u.board_id, NEW.player_id, u.score FROM unnest(v_boards, v_scores) u (board_id, score)
        ON CONFLICT (board_id, player_id) DO UPDATE SET score = excluded.score
        WHERE e.score <> excluded.score;
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION rank_rating IS
'The boards follow a rating, all of them in one statement.
Called by the trigger rank_rating of ratings.';
