/* Replies to a command of one seat; see wire.h. */
#include "base/bug.h"
#include "base/clock.h"
#include "tables/wire_pieces.h"

void tab_wire_ack(struct buf *out, const char *id, uint32_t v)
{
    ASSERT(id[0] != '\0');
    tab_wire_open_frame(out, WIRE_FRAME_ACK);
    json_kv_text(out, "id", id);
    json_kv_num(out, "v", v);
    json_close(out, '}');
}

void tab_wire_nack(struct buf *out, const char *id, const char *code, const char *text, const uint8_t *cards,
                   int n)
{
    ASSERT(code[0] != '\0' && text[0] != '\0');
    tab_wire_open_frame(out, WIRE_FRAME_NACK);
    json_kv_text(out, "id", id);
    json_kv_text(out, "code", code);
    wire_cards(out, "cards", cards, n);
    json_kv_text(out, "text", text);
    json_close(out, '}');
}

void tab_wire_pong(struct buf *out, const char *id, int64_t unix_ms)
{
    char now[25];
    clock_rfc3339(now, unix_ms);
    tab_wire_open_frame(out, WIRE_FRAME_PONG);
    json_kv_text(out, "id", id);
    json_key(out, "d");
    json_open(out, '{');
    json_kv_text(out, "now", now);
    tab_wire_close_state(out);
}

void tab_wire_legal(struct buf *out, const char *id, const struct eng_view *view, bool hints)
{
    tab_wire_open_frame(out, WIRE_FRAME_LEGAL);
    json_kv_text(out, "id", id);
    json_kv_num(out, "v", view->v);
    json_key(out, "d");
    json_open(out, '{');
    wire_legal(out, view, hints);
    tab_wire_close_state(out);
}
