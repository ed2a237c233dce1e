CREATE OR REPLACE FUNCTION do_lobby_players(p_node text, p_epoch bigint, p_players bigint[]) RETURNS boolean
    LANGUAGE plpgsql AS $$
DECLARE
    v_n integer;
    v_m integer;
BEGIN
    IF NOT EXISTS (SELECT 1 FROM node_leases WHERE node = p_node AND epoch = p_epoch) THEN
        RETURN false;
    END IF;
    DELETE FROM lobby_players p WHERE node = p_node AND (
        epoch <> p_epoch OR NOT EXISTS (SELECT 1 FROM unnest(p_players) AS h (id) WHERE h.id = p.player_id));
    GET DIAGNOSTICS v_n = ROW_COUNT;
    INSERT INTO lobby_players (player_id, node, epoch)
    SELECT DISTINCT h.id, p_node, p_epoch FROM unnest(p_players) AS h (id)
    ON CONFLICT DO NOTHING;
    GET DIAGNOSTICS v_m = ROW_COUNT;
    DELETE FROM lobby_players WHERE (player_id, node) IN (
        SELECT p.player_id, p.node FROM lobby_players p
        WHERE p.node IN (SELECT l.node FROM node_leases l
                         WHERE l.node <> p_node AND NOT node_is_alive(l.node))
        FOR UPDATE SKIP LOCKED);
    RETURN v_n + v_m > 0;
END $$;

COMMENT ON FUNCTION do_lobby_players IS
'Stores all players who are in the lobby of this node: replaces the previous report, and removes reports of
dead nodes. true: at least one player came or left. Does nothing with a stale epoch.
Called by server.';
