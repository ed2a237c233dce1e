CREATE OR REPLACE FUNCTION export_add(p_export exports, p_text text, p_lines bigint, p_after bigint,
                                      p_end boolean)
    RETURNS void
    LANGUAGE plpgsql AS $$
DECLARE
    v_part integer := greatest(p_export.parts_n, 1);
    v_room bigint  := setting_int('export_part_bytes')
                      - coalesce((SELECT octet_length(text) FROM export_parts
                                  WHERE export_id = p_export.id AND part = v_part), 0);
BEGIN
    IF p_text IS NOT NULL THEN
        IF octet_length(p_text) > v_room AND p_export.parts_n > 0 THEN
            v_part := v_part + 1;
        END IF;
        INSERT INTO export_parts (export_id, part, text) VALUES (p_export.id, v_part, p_text)
        ON CONFLICT (export_id, part) DO UPDATE SET text = export_parts.text || p_text;
    END IF;
    UPDATE exports
    SET parts_n = v_part, lines_n = lines_n + coalesce(p_lines, 0),
        bytes = bytes + coalesce(octet_length(p_text), 0), after_id = coalesce(p_after, 0),
        stepped_at = clock_timestamp(),
        section = CASE WHEN p_after IS NULL THEN section + 1 ELSE section END
    WHERE id = p_export.id;
    IF p_end THEN
        UPDATE exports SET ready_at = now(),
                           expires_at = now() + make_interval(secs => setting_int('export_keep_s'))
        WHERE id = p_export.id;
        PERFORM notify_player(p_export.player_id, 'export', '{}');
        PERFORM mail_put(p_export.player_id, NULL, 'export_ready',
                         jsonb_build_object('valid_s', setting_int('export_keep_s')));
    END IF;
END $$;

COMMENT ON FUNCTION export_add IS
'Adds whole lines to an export, to its last part as long as there is space. p_text NULL: the section has no
more rows. p_after: the last row included so far; NULL: the next section begins. p_end: the file is
complete; its owner is notified.
Called by do_export_step.';
