/* A table that has ended tells its people who plays again, and where. Hub thread. */
#include "tables/table_in.h"
#include "tables/wire.h"

static void put_frame(struct buf *frame, const struct tab_table *table)
{
    json_open(frame, '{');
    json_kv_text(frame, "t", "rematch");
    json_key(frame, "d");
    json_open(frame, '{');
    json_key(frame, "table_id");
    buf_fmt(frame, "\"%lld\"", (long long)table->rematch_id);
    json_key(frame, "seats");
    json_open(frame, '[');
    for (uint8_t i = 0; i < table->seats_n; i++)
        if (table->rematch_seats >> i & 1)
            json_num(frame, i);
    json_close(frame, ']');
    json_close(frame, '}');
    json_close(frame, '}');
}

void tab_tell_rematch(struct tab_table *table, uint8_t seat)
{
    char memory[256];
    struct buf frame = buf_on(memory, sizeof(memory));
    if (table->rematch_id == 0)
        return;
    put_frame(&frame, table);
    if (seat == ENG_NO_SEAT)
        tab_send_seats(table, &frame);
    else
        tab_send(table, seat, &frame);
}

void tab_rematch(struct tab_table *table, int64_t rematch_id, uint8_t seat)
{
    if (table->state != TAB_OVER || seat >= table->seats_n)
        return;
    uint8_t seats = (uint8_t)(table->rematch_seats | 1u << seat);
    if (table->rematch_id == rematch_id && table->rematch_seats == seats)
        return;
    table->rematch_id = rematch_id;
    table->rematch_seats = seats;
    tab_tell_rematch(table, ENG_NO_SEAT);
}
