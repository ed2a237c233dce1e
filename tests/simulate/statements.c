/* The model's implementation of a node's statements: the functions of db/functions that live tables, the
 * journal, and the lease call, with the same names. See store.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tests/simulate/statement.h"

/* ---- The journal ---- */
static struct move_row move_at(const struct args *a, size_t i, size_t banks, size_t hand_clocks)
{
    struct move_row row = {.table = arg_item_int(a, 2, i),
                           .hand_no = (uint32_t)arg_item_int(a, 3, i),
                           .v = (uint32_t)arg_item_int(a, 4, i),
                           .seat = (uint8_t)arg_item_int(a, 5, i),
                           .hash = (uint64_t)arg_item_int(a, 7, i),
                           .time_bank_ms = banks > 0 ? arg_item_int(a, 9, i) : 0,
                           .hand_clock_ms = hand_clocks > 0 ? arg_item_int(a, 12, i) : 0};
    row.len = (uint8_t)arg_item_bytes(a, 6, i, row.bytes, sizeof(row.bytes));
    size_t n = arg_item_bytes(a, 8, i, row.command, sizeof(row.command) - 1);
    row.command[n] = '\0';
    return row;
}

static bool is_same(const struct move_row *one, const struct move_row *other)
{
    return one->hand_no == other->hand_no && one->v == other->v && one->seat == other->seat &&
           one->len == other->len && memcmp(one->bytes, other->bytes, one->len) == 0 &&
           one->hash == other->hash && strcmp(one->command, other->command) == 0;
}

/* The row with this version, or NULL. */
static const struct move_row *stands(const struct call *call, const struct move_row *move)
{
    const struct table *table = store_table(move->table);
    for (size_t i = 0; i < call->tx->moves_n; i++)
        if (call->tx->moves[i].table == move->table && call->tx->moves[i].v == move->v)
            return &call->tx->moves[i];
    if (store_find(call->tx, move->table)->journal_folded)
        return NULL;
    for (size_t i = table->moves_n; i-- > 0 && table->moves[i].v >= move->v;)
        if (table->moves[i].v == move->v)
            return &table->moves[i];
    return NULL;
}

static enum verdict journal_append(struct call *call)
{
    const struct args *a = call->args;
    int node = statement_node(arg_text(a, 0));
    size_t n = arg_items(a, 2), banks = arg_items(a, 9), hand_clocks = arg_items(a, 12), good = 0;
    if (!store_lock(call->tx, LOCK_NODE_SHARE, node))
        return WAITS;
    rows_begin(call->answer, "n");
    if (!statement_has_epoch(call, node, arg_int(a, 1))) {
        rows_null(call->answer);
        return DONE;
    }
    for (size_t i = 0; i < n; i++) {
        struct move_row move = move_at(a, i, banks, hand_clocks);
        move.node = (uint8_t)node;
        const struct move_row *there = stands(call, &move);
        const struct table *table = store_table(move.table);
        bool folded = store_find(call->tx, move.table)->journal_folded;
        if (folded && !there) { /* repeated after the settlement: it is written and removed again */
            good++;
            continue;
        }
        if (!there && table->moves_n > 0 && table->moves[table->moves_n - 1].v > move.v)
            continue;
        good += !there || is_same(there, &move);
        if (there)
            continue;
        ASSERT(call->tx->moves_n < TX_MOVES_MAX);
        call->tx->moves[call->tx->moves_n++] = move;
        call->tx->writes = true;
    }
    rows_int(call->answer, (int64_t)good);
    return DONE;
}

static enum verdict set_seed(struct call *call)
{
    const struct args *a = call->args;
    const struct table_row *table = store_find(call->tx, arg_int(a, 0));
    size_t seat = (size_t)arg_int(a, 1);
    if (!store_lock(call->tx, LOCK_TABLE, table->id))
        return WAITS;
    table = store_find(call->tx, table->id);
    const struct hand_row *last = table->hands_n > 0 ? &table->hands[table->hands_n - 1] : NULL;
    bool open = table->state == ROW_WAITING || (table->state == ROW_PLAYING && last && last->dealt_ms == 0);
    bool ok = open && statement_has_epoch(call, table->node, arg_int(a, 3)) && table->seats[seat].taken;
    if (ok) {
        struct seat_row *mine = &store_change(call->tx, table->id)->seats[seat];
        mine->seed.len = (uint8_t)arg_bytes(a, 2, mine->seed.bytes, sizeof(mine->seed.bytes));
    }
    rows_begin(call->answer, "code");
    rows_text(call->answer, ok ? "ok" : "seed_too_late");
    return DONE;
}

static enum verdict leave_seat(struct call *call)
{
    int64_t player = arg_int(call->args, 0), id = arg_int(call->args, 1);
    if (!store_lock(call->tx, LOCK_TABLE, id))
        return WAITS;
    const struct table_row *table = store_find(call->tx, id);
    int seat = 0;
    while (seat < table->seats_n && table->seats[seat].player != player)
        seat++;
    rows_begin(call->answer, "code");
    if (seat == table->seats_n || table->state != ROW_WAITING) {
        rows_text(call->answer, seat == table->seats_n        ? "no_such_seat"
                                : table->state == ROW_PLAYING ? "game_running"
                                : table->state == ROW_LOST    ? "table_lost"
                                                              : "table_over");
        return DONE;
    }
    struct table_row *mine = store_change(call->tx, id);
    statement_refund(call->tx, &mine->seats[seat]);
    mine->seats[seat] = (struct seat_row){0};
    if (--mine->people_n == 0)
        mine->state = ROW_CANCELLED;
    rows_text(call->answer, "ok");
    return DONE;
}

/* ---- Reads of the hub ---- */
static enum verdict rows_of_table(struct call *call)
{
    const struct table *table = store_table(arg_int(call->args, 0));
    rows_of(call->answer, table);
    return DONE;
}

/* The node's tables in a state up to `last` that stopped after that time, with the sum of the player ids if
 * requested. */
static void live_tables(struct call *call, int node, enum row_state last, int64_t stopped_ms, bool sum)
{
    for (size_t i = 0; i < store_tables_n; i++) {
        const struct table_row *row = &store_tables[i].row;
        int64_t people = 0;
        if (row->node != node || row->state > last || row->stopped_ms < stopped_ms)
            continue;
        rows_int(call->answer, row->id);
        for (size_t k = 0; k < row->seats_n; k++)
            people += row->seats[k].player;
        if (sum)
            rows_int(call->answer, people);
    }
}

static enum verdict tables_of_node(struct call *call)
{
    rows_begin(call->answer, "id");
    live_tables(call, statement_node(arg_text(call->args, 0)), ROW_PLAYING, 0, false);
    return DONE;
}

static enum verdict tables_handed_over_here(struct call *call)
{
    rows_begin(call->answer, "id");
    live_tables(call, statement_node(arg_text(call->args, 0)), ROW_PLAYING,
                store_unix_ms() - arg_int(call->args, 3), false);
    return DONE;
}

static enum verdict waiting_tables_of_node(struct call *call)
{
    rows_begin(call->answer, "id people");
    live_tables(call, statement_node(arg_text(call->args, 0)), ROW_WAITING, 0, true);
    return DONE;
}

/* Returns those of the ids whose tables wait at the node. */
static enum verdict waiting_tables_owned(struct call *call)
{
    int node = statement_node(arg_text(call->args, 1));
    rows_begin(call->answer, "id");
    for (size_t i = 0; i < arg_items(call->args, 0); i++) {
        const struct table *table = store_table(arg_item_int(call->args, 0, i));
        if (table && table->row.node == node && table->row.state == ROW_WAITING)
            rows_int(call->answer, table->row.id);
    }
    return DONE;
}

static enum verdict tables_to_cancel(struct call *call)
{
    int node = statement_node(arg_text(call->args, 0));
    rows_begin(call->answer, "id");
    for (size_t i = 0; i < store_tables_n && sim_planted != SIM_PLANT_ORDERS_UNREAD; i++)
        if (store_tables[i].cancel_us && store_tables[i].row.node == node &&
            store_tables[i].row.state <= ROW_PLAYING)
            rows_int(call->answer, store_tables[i].row.id);
    return DONE;
}

static enum verdict nothing(struct call *call)
{
    rows_begin(call->answer, "id");
    return DONE;
}

static enum verdict wake_due(struct call *call)
{
    rows_begin(call->answer, "table_id");
    return DONE;
}

static enum verdict redeem_tickets(struct call *call)
{
    rows_begin(call->answer, "code player_id seat delay_ms");
    for (size_t i = 0; i < arg_items(call->args, 0); i++) {
        uint8_t id[16];
        (void)arg_item_bytes(call->args, 0, i, id, sizeof(id));
        struct ticket_row *ticket = tickets_find(id, arg_item_int(call->args, 1, i));
        const char *code = !ticket                         ? "no_such_ticket"
                           : ticket->used                  ? "ticket_used"
                           : ticket->expires_us <= sim_now ? "ticket_expired"
                                                           : "ok";
        rows_text(call->answer, code);
        if (strcmp(code, "ok") == 0) {
            ticket->used = true; /* not flushed to disk: a failover may lose it */
            ticket->used_us = sim_now;
        }
        rows_int(call->answer, ticket ? ticket->player : 0);
        rows_int(call->answer, ticket ? ticket->seat : 0);
        rows_int(call->answer, 0);
    }
    return DONE;
}

/* ---- Table of statements ---- */
static const struct {
    const char *name;
    enum verdict (*run)(struct call *call);
    bool write;
} statements[] = {
    {"do_journal_append", journal_append, true},
    {"do_node_renew", statement_node_renew, true},
    {"q_peer_nodes", statement_peer_nodes, false},
    {"do_wake_due", wake_due, false},
    {"rows_of_table", rows_of_table, false},
    {"do_redeem_tickets", redeem_tickets, false},
    {"waiting_tables_of_node", waiting_tables_of_node, false},
    {"do_set_seed", set_seed, true},
    {"do_leave_seat", leave_seat, true},
    {"do_lock_tables", statement_lock_tables, false},
    {"do_start_batch", statement_start_batch, true},
    {"do_end_hand", statement_end_hand, true},
    {"do_deal_hand", statement_deal_hand, true},
    {"do_settle_batch", statement_settle_batch, true},
    {"do_forget_moves", statement_forget_moves, true},
    {"do_lose_table", statement_lose_table, true},
    {"do_cancel_table", statement_cancel_table, true},
    {"do_adopt_tables", statement_adopt_tables, true},
    {"do_node_start", statement_node_start, true},
    {"do_node_resume", statement_node_resume, false},
    {"node_renewals", statement_node_renewals, false},
    {"database_clock", statement_database_clock, false},
    {"do_hand_over_table", statement_hand_over_table, true},
    {"tables_handed_over_here", tables_handed_over_here, false},
    {"waiting_tables_owned", waiting_tables_owned, false},
    {"tables_to_cancel", tables_to_cancel, false},
    {"rematches_of", nothing, false},
    {"tables_of_node", tables_of_node, false},
};

enum verdict store_run(struct tx *tx, const char *name, const struct args *args, struct session *session,
                       name_is_taken_fn *name_is_taken, struct answer *answer)
{
    struct call call = {
        .tx = tx, .args = args, .session = session, .name_is_taken = name_is_taken, .answer = answer};
    *answer = (struct answer){.name_taken = -1};
    for (size_t i = 0; i < ARRAY_LEN(statements); i++) {
        if (strcmp(statements[i].name, name) != 0)
            continue;
        answer->write = statements[i].write;
        if (answer->write && store_disk_full)
            return NO_ROOM;
        enum verdict verdict = statements[i].run(&call);
        if (verdict == WAITS) {
            PQclear(answer->rows);
            answer->rows = NULL;
        }
        return verdict;
    }
    sim_broken("the model knows each statement", "it does not know %s", name);
}
