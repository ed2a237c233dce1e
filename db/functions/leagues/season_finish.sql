CREATE OR REPLACE FUNCTION season_finish(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_seasons(true);
    UPDATE seasons SET state = 'ended', step = '' WHERE no = s.no;
    UPDATE seasons SET state = 'opening', at_player = 0 WHERE no = s.no + 1;
    RETURN '{"seasons": 1}';
END $$;

COMMENT ON FUNCTION season_finish IS
'The last step of a season''s end; the next season may begin.
Called by season_rollover_step.';
