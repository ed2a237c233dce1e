CREATE OR REPLACE FUNCTION announce_notifications() RETURNS trigger
    LANGUAGE plpgsql
    SET search_path = public, pg_temp AS $$
DECLARE
    v_players text;
BEGIN
    IF current_setting('rummyd.news', true) = 'on' THEN
        SELECT string_agg(p.player_id::text, ' ') INTO v_players
        FROM (SELECT DISTINCT player_id FROM new_rows LIMIT 64) p;
        RAISE NOTICE '%', v_players USING ERRCODE = 'RNEWS';
    END IF;
    RETURN NULL;
END $$;

COMMENT ON FUNCTION announce_notifications IS
'Names the recipients of new notifications, at most 64 players, to the connection of the node that wrote
them, so that their sockets on all nodes poll at once. Other recipients, or all of them if the message is
lost, poll by themselves within 2 s. The message comes before the commit, so receivers wait a little.
Called by the trigger announce_notifications of notifications.';
