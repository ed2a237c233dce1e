CREATE OR REPLACE FUNCTION season_finish(s seasons) RETURNS jsonb
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM lock_seasons(true);
    UPDATE seasons SET state = 'ended', step = '' WHERE no = s.no;
    UPDATE seasons SET state = 'opening', at_player = 0 WHERE no = s.no + 1;
    PERFORM webhook_put('season.closed', jsonb_build_object(
        'season', s.no, 'starts_at', rfc3339(s.starts_at), 'ends_at', rfc3339(s.ends_at)));
    RETURN '{"seasons": 1}';
END $$;

COMMENT ON FUNCTION season_finish IS
'The last step of a season''s end; the next season may begin.
Called by season_rollover_step.';
