CREATE OR REPLACE FUNCTION q_lobby_tournaments(p_known bigint[], p_max integer)
    RETURNS TABLE (id bigint, going_on boolean, body text)
    LANGUAGE sql STABLE AS $$
    SELECT t.id, t.going_on,
           json_build_object('id', t.id::text,
               'state', CASE t.state WHEN 'cancelling' THEN 'cancelled' ELSE t.state END,
               'people', t.people_n, 'bots', t.bots_n, 'round', t.round_no,
               'next_at', rfc3339(t.next_at))::text
    FROM (SELECT o.*, true AS going_on FROM tournaments o
          WHERE o.state IN ('open', 'running', 'cancelling')
          UNION ALL
          SELECT o.*, false FROM tournaments o
          WHERE o.id = ANY (p_known) AND o.state IN ('ended', 'cancelled')) t
    ORDER BY t.going_on, t.id DESC LIMIT p_max
$$;

COMMENT ON FUNCTION q_lobby_tournaments IS
'Tournaments that are open or running, newest first, preceded by those of p_known that are over; this is the
part that everyone in the lobby sees. body is the JSON that the lobby sends; it contains only public data.
Called by server.';
