CREATE OR REPLACE FUNCTION do_read_notifications(p_player bigint, p_up_to bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE notifications SET read_at = now() WHERE player_id = p_player AND id <= p_up_to AND read_at IS NULL;
    RETURN QUERY SELECT 'ok', jsonb_build_object('unread', count(*))::text FROM notifications
                 WHERE player_id = p_player AND read_at IS NULL;
END $$;

COMMENT ON FUNCTION do_read_notifications IS
'Marks everything up to p_up_to as read; returns the number of unread ones.
Called by api.';
