CREATE OR REPLACE FUNCTION do_push_device_remove(p_player bigint, p_device bigint) RETURNS TABLE (code text)
    LANGUAGE plpgsql AS $$
BEGIN
    DELETE FROM push_devices WHERE id = p_device AND player_id = p_player;
    RETURN QUERY SELECT CASE WHEN FOUND THEN 'ok' ELSE 'no_such_device' END;
END $$;

COMMENT ON FUNCTION do_push_device_remove IS
'Stops pushes to a device.
Refusals: no_such_device (also: another player''s).
Called by api.';
