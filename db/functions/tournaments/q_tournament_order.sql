CREATE OR REPLACE FUNCTION q_tournament_order(p_tournament bigint)
    RETURNS TABLE (draw integer, seats integer, n bigint, key bytea, entrants text, tables text)
    LANGUAGE sql STABLE AS $$
    SELECT t.draw_no + 1, t.seats_n::integer, e.n, tournament_key(t), e.entrants, s.tables
    FROM tournaments t,
         LATERAL (SELECT count(*) AS n,
                         string_agg(o.entry_no || ' ' || o.score || ' ' || o.byes || ' ' || o.low, ' '
                                    ORDER BY o.score DESC, o.lot) AS entrants
                  FROM (SELECT i.entry_no, i.byes, l.lot,
                               CASE WHEN t.duplicate THEN 0 ELSE i.score END AS score,
                               row_number() OVER (ORDER BY i.score, l.lot DESC) - 1 AS low
                        FROM tournament_entries i
                        CROSS JOIN LATERAL (SELECT tournament_lot(tournament_key(t), i.entry_no) AS lot) l
                        WHERE i.tournament_id = t.id AND i.out_round IS NULL) o) e,
         LATERAL (SELECT string_agg(k.entries, ' ' ORDER BY k.round_no, k.table_no) AS tables
                  FROM (SELECT a.round_no, a.table_no,
                               count(*) || ' ' || string_agg(a.entry_no::text, ' ') AS entries
                        FROM tournament_seats a WHERE a.tournament_id = t.id
                        GROUP BY a.round_no, a.table_no) k) s
    WHERE t.id = p_tournament AND tournament_pairs(t)
$$;

COMMENT ON FUNCTION q_tournament_order IS
'Input for the server''s draw of the next round of a Swiss tournament; no row unless that is due. draw: its
number. entrants: for each of the n entries, in the order of the draw: its number, its score (0 in a
duplicate), its byes, and its rank for a bye (0 for the lowest). tables: all tables so far, each as the
number of its entries, followed by these.
Called by server.';
