CREATE OR REPLACE FUNCTION do_export_step() RETURNS bigint
    LANGUAGE plpgsql AS $$
DECLARE
    v_sections CONSTANT text[] := ARRAY[
        'account', 'sessions', 'devices', 'passkeys', 'identities',
        'mails', 'limits', 'purses', 'postings', 'orders', 'seats',
        'games', 'chat', 'statistics', 'ratings', 'achievements', 'quests', 'seasons', 'prizes',
        'puzzles', 'friends', 'clubs', 'club_chat', 'blocks', 'invites', 'notifications', 'reports'];
    v_export exports;
    v_text   text;
    v_lines  bigint;
    v_after  bigint;
BEGIN
    SELECT * INTO v_export FROM exports WHERE ready_at IS NULL
    ORDER BY stepped_at, id LIMIT 1 FOR UPDATE SKIP LOCKED;
    IF NOT FOUND THEN
        RETURN 0;
    ELSIF v_export.section = 0 THEN
        v_text := jsonb_build_object('section', 'head', 'data', jsonb_build_object(
            'format', 'rummyd-export', 'version', 1, 'player_id', v_export.player_id::text,
            'asked_at', rfc3339(v_export.asked_at), 'sections', to_jsonb(v_sections)))::text || E'\n';
        v_lines := 1;
    ELSIF v_export.section > cardinality(v_sections) THEN
        v_text := jsonb_build_object('section', 'end', 'data', jsonb_build_object(
            'lines', v_export.lines_n + 1))::text || E'\n';
        v_lines := 1;
    ELSE
        SELECT string_agg(line, '' ORDER BY at), count(*), max(at) INTO v_text, v_lines, v_after
        FROM (SELECT r.at, r.line, row_number() OVER (ORDER BY r.at) AS n,
                     sum(octet_length(r.line)) OVER (ORDER BY r.at) AS bytes
              FROM (SELECT at, jsonb_build_object('section', v_sections[v_export.section], 'data', data)::text
                               || E'\n' AS line
                    FROM export_rows(v_sections[v_export.section], v_export.player_id, v_export.after_id,
                                     setting_int('export_batch'))) r) x
        WHERE n = 1 OR bytes <= setting_int('export_part_bytes');
    END IF;
    PERFORM export_add(v_export, v_text, v_lines, v_after, v_export.section > cardinality(v_sections));
    RETURN 1;
END $$;

COMMENT ON FUNCTION do_export_step IS
'Adds a few rows to the file whose last step was longest ago, and stores its progress, in one transaction.
Files thus take turns, so that a large one delays the others by only one step at a time. Any server can
repeat an interrupted step, and several servers may call this at once. Returns the number of files
continued: 0 or 1.
Called by server.';
