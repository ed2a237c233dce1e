CREATE OR REPLACE FUNCTION q_my_clubs(p_reader bigint)
    RETURNS TABLE (code text, body text)
    LANGUAGE sql STABLE AS $$
    SELECT 'ok', jsonb_build_object('items', coalesce(
        (SELECT jsonb_agg(club_json(c, p_reader) ORDER BY c.name_folded)
         FROM club_members m JOIN clubs c ON c.id = m.club_id WHERE m.player_id = p_reader), '[]'))::text
$$;

COMMENT ON FUNCTION q_my_clubs IS
'The clubs of a player, and those with a pending request, by name: at most clubs_per_player_max.
Called by api.';
