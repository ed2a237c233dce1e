-- What a player is told: a line each, read or not.

-- kind says what data holds; the page makes sentences of it.
CREATE TABLE notifications (
    id        bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    player_id bigint NOT NULL REFERENCES players (id),
    at        timestamptz NOT NULL DEFAULT now(),
    kind      text   NOT NULL CHECK (kind IN ('level', 'season', 'league_prize', 'month_prize', 'achievement', 'invite', 'friend')),
    data      jsonb  NOT NULL,
    read_at   timestamptz
);
CREATE INDEX notifications_player ON notifications (player_id, id DESC);
CREATE INDEX notifications_unread ON notifications (player_id) WHERE read_at IS NULL;

CREATE FUNCTION notify_player(p_player bigint, p_kind text, p_data jsonb) RETURNS void
    LANGUAGE sql AS $$
    INSERT INTO notifications (player_id, kind, data) VALUES (p_player, p_kind, p_data)
$$;

-- Newest first. id: for the cursor.
CREATE FUNCTION q_notifications(p_player bigint, p_before bigint, p_limit bigint) RETURNS TABLE (id bigint, body text)
    LANGUAGE sql STABLE AS $$
    SELECT id, jsonb_build_object('id', id::text, 'at', rfc3339(at), 'kind', kind, 'data', data, 'read', read_at IS NOT NULL)::text
    FROM notifications WHERE player_id = p_player AND id < p_before ORDER BY id DESC LIMIT p_limit
$$;

-- Marks everything up to p_up_to as read. code: ok. body: how many are left.
CREATE FUNCTION do_read_notifications(p_player bigint, p_up_to bigint) RETURNS TABLE (code text, body text)
    LANGUAGE plpgsql AS $$
#variable_conflict use_column
BEGIN
    UPDATE notifications SET read_at = now() WHERE player_id = p_player AND id <= p_up_to AND read_at IS NULL;
    RETURN QUERY SELECT 'ok', jsonb_build_object('unread', count(*))::text FROM notifications
                 WHERE player_id = p_player AND read_at IS NULL;
END $$;

-- The end of a season tells those for whom something changed.
CREATE FUNCTION season_result_tells() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO notifications (player_id, kind, data)
    SELECT r.player_id, 'season', jsonb_build_object('season', r.season_no, 'league', l.id, 'to_league', t.id,
                                                     'reason', r.reason, 'said', r.said)
    FROM new_rows r JOIN leagues l ON l.position = r.position LEFT JOIN leagues t ON t.position = r.to_position
    WHERE r.reason <> 'stays';
    RETURN NULL;
END $$;
CREATE TRIGGER season_result_tells AFTER INSERT ON season_results REFERENCING NEW TABLE AS new_rows
    FOR EACH STATEMENT EXECUTE FUNCTION season_result_tells();

CREATE FUNCTION season_prize_tells() RETURNS trigger
    LANGUAGE plpgsql AS $$
BEGIN
    PERFORM notify_player(NEW.player_id, 'league_prize', jsonb_build_object(
        'season', NEW.season_no, 'league', (SELECT id FROM leagues WHERE position = NEW.position), 'place', NEW.place,
        'gold', NEW.prize_gold));
    RETURN NULL;
END $$;
CREATE TRIGGER season_prize_tells AFTER UPDATE OF prize_gold ON season_results
    FOR EACH ROW WHEN (NEW.prize_gold > OLD.prize_gold) EXECUTE FUNCTION season_prize_tells();
