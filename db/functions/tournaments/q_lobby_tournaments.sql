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
'Tournaments that are open or played, the newest first, and before them those of p_known that are over: what
of them is news to everybody in the lobby. body is the JSON the lobby sends; it holds nothing that is not
public.
Called by server.';
