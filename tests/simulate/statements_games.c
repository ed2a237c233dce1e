/* The functions of db/functions/tables and db/functions/settle in the model: starts, hands, ends. See
 * statement.h. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "tests/simulate/statement.h"

/* ---- Starts ---- */
static const char *start_code(const struct call *call, const struct table_row *table, int64_t epoch)
{
    return !statement_has_epoch(call, table->node, epoch) ? "stale_epoch"
           : table->state == ROW_PLAYING                  ? "already_done"
           : table->state != ROW_WAITING                  ? "table_over"
           : table->people_n == 0                         ? "table_empty"
                                                          : "ok";
}

static void start(struct call *call, int64_t id, size_t nth)
{
    struct table_row *table = store_change(call->tx, id);
    int bot = 0;
    for (size_t i = 0; i < table->seats_n; i++) {
        struct seat_row *seat = &table->seats[i];
        uint8_t bytes[64];
        size_t n = arg_item_bytes(call->args, 4, 6 * nth + i, bytes, sizeof(bytes));
        if (seat->taken && n > 0) {
            seat->seed.len = (uint8_t)n;
            memcpy(seat->seed.bytes, bytes, n);
        }
        if (seat->taken)
            continue;
        *seat = (struct seat_row){.taken = true, .level = (uint8_t)arg_item_int(call->args, 3, nth)};
        n = arg_item_bytes(call->args, 2, 6 * nth + (size_t)bot++, seat->nick, sizeof(seat->nick) - 1);
        seat->nick[n] = '\0';
    }
    struct hand_row *hand = &table->hands[table->hands_n++];
    *hand = (struct hand_row){.no = table->hand_no, .dealt_ms = store_unix_ms()};
    memcpy(hand->server_seed, table->server_seed, 32);
    memcpy(hand->commit, table->commit, 32);
    for (size_t i = 0; i < table->seats_n; i++)
        hand->seeds[i] = table->seats[i].seed;
    table->state = ROW_PLAYING;
    table->started_ms = store_unix_ms();
}

static void put_start(struct call *call, int64_t id, const char *code)
{
    const struct table_row *table = store_find(call->tx, id);
    bool seats = strcmp(code, "ok") == 0 || strcmp(code, "already_done") == 0;
    for (size_t i = 0; i < (seats ? table->seats_n : 1u); i++) {
        rows_int(call->answer, id);
        rows_text(call->answer, code);
        rows_bool(call->answer, false);
        rows_int(call->answer, (int64_t)i);
        if (seats)
            rows_seat(call->answer, &table->seats[i]);
        else
            for (int k = 0; k < 6; k++)
                rows_null(call->answer);
    }
}

enum verdict statement_start_batch(struct call *call)
{
    size_t n = arg_items(call->args, 0);
    int64_t epoch = arg_int(call->args, 1);
    for (size_t i = 0; i < n; i++) {
        int64_t id = arg_item_int(call->args, 0, i);
        if (!store_lock(call->tx, LOCK_TABLE, id) ||
            !store_lock(call->tx, LOCK_NODE_SHARE, store_find(call->tx, id)->node))
            return WAITS;
    }
    rows_begin(call->answer,
               "table_id code practice seat player_id bot_level nickname avatar client_seed program");
    for (size_t i = 0; i < n; i++) {
        int64_t id = arg_item_int(call->args, 0, i);
        const char *code = start_code(call, store_find(call->tx, id), epoch);
        if (strcmp(code, "ok") == 0)
            start(call, id, i);
        put_start(call, id, code);
    }
    return DONE;
}

/* ---- Hands ---- */
enum verdict statement_lock_tables(struct call *call)
{
    for (size_t i = 0; i < arg_items(call->args, 0); i++)
        if (!store_lock(call->tx, LOCK_TABLE, arg_item_int(call->args, 0, i)))
            return WAITS;
    rows_begin(call->answer, "do_lock_tables");
    rows_null(call->answer);
    return DONE;
}

static const struct hand_row *hand_of(const struct table_row *table, uint32_t no)
{
    for (size_t i = 0; i < table->hands_n; i++)
        if (table->hands[i].no == no)
            return &table->hands[i];
    return NULL;
}

static const char *hand_refusal(const struct call *call, const struct table_row *table, int64_t epoch,
                                uint32_t no, bool ends)
{
    const struct hand_row *hand = hand_of(table, no);
    if (hand && (ends ? hand->ended_ms : hand->dealt_ms) != 0)
        return "already_done";
    if (!statement_has_epoch(call, table->node, epoch))
        return "stale_epoch";
    return table->state != ROW_PLAYING || !hand || (ends && hand->dealt_ms == 0) ? "not_playing" : "ok";
}

static bool lock_with_node(struct call *call, int64_t id)
{
    return store_lock(call->tx, LOCK_TABLE, id) &&
           store_lock(call->tx, LOCK_NODE_SHARE, store_find(call->tx, id)->node);
}

enum verdict statement_end_hand(struct call *call)
{
    const struct args *a = call->args;
    int64_t id = arg_int(a, 0);
    uint32_t no = (uint32_t)arg_int(a, 2);
    if (!lock_with_node(call, id))
        return WAITS;
    const char *code = hand_refusal(call, store_find(call->tx, id), arg_int(a, 1), no, true);
    if (strcmp(code, "ok") == 0) {
        struct table_row *table = store_change(call->tx, id);
        ASSERT(table->hands_n < HANDS_MAX);
        table->hands[table->hands_n - 1].ended_ms = store_unix_ms();
        struct hand_row *next = &table->hands[table->hands_n++];
        *next = (struct hand_row){.no = no + 1};
        (void)arg_bytes(a, 6, next->server_seed, 32);
        (void)arg_bytes(a, 7, next->commit, 32);
        table->hand_no = no + 1;
        memcpy(table->server_seed, next->server_seed, 32);
        memcpy(table->commit, next->commit, 32);
        for (size_t i = 0; i < table->seats_n; i++)
            table->seats[i].seed = (struct eng_client_seed){0};
    }
    rows_begin(call->answer, "code");
    rows_text(call->answer, code);
    return DONE;
}

enum verdict statement_deal_hand(struct call *call)
{
    const struct args *a = call->args;
    int64_t id = arg_int(a, 0);
    uint32_t no = (uint32_t)arg_int(a, 2);
    if (!lock_with_node(call, id))
        return WAITS;
    const char *code = hand_refusal(call, store_find(call->tx, id), arg_int(a, 1), no, false);
    if (strcmp(code, "ok") == 0) {
        struct table_row *table = store_change(call->tx, id);
        struct hand_row *hand = &table->hands[table->hands_n - 1];
        ASSERT(hand->no == no);
        hand->dealt_ms = store_unix_ms();
        for (size_t i = 0; i < arg_items(a, 3); i++)
            hand->seeds[i].len = (uint8_t)arg_item_bytes(a, 3, i, hand->seeds[i].bytes, 32);
    }
    rows_begin(call->answer, "code");
    rows_text(call->answer, code);
    return DONE;
}

/* ---- Ends ---- */
/* The pot goes to the winners, the remainder to the house. */
static void settle_one(struct call *call, int64_t id, size_t nth)
{
    struct table_row *table = store_change(call->tx, id);
    char results[4096];
    size_t n = arg_item_bytes(call->args, 3, nth, results, sizeof(results) - 1);
    results[n] = '\0';
    int64_t pot = 0, won = 0;
    for (size_t i = 0; i < table->seats_n; i++) {
        pot += table->seats[i].player ? store_table(id)->stake : 0;
        won += result_won(results, i);
        table->seats[i].held = 0;
    }
    for (size_t i = 0; i < table->seats_n; i++) {
        int64_t share = won > 0 && result_won(results, i) ? pot / won : 0;
        if (table->seats[i].player == 0 || share == 0)
            continue;
        call->tx->purses[table->seats[i].player] += share;
        pot -= share;
    }
    call->tx->house += pot;
    call->tx->posts = true;
    if (table->hands_n > 0 && table->hands[table->hands_n - 1].dealt_ms == 0)
        table->hands_n--;
    else if (table->hands_n > 0)
        table->hands[table->hands_n - 1].ended_ms = store_unix_ms();
    table->state = ROW_FINISHED;
    table->journal_folded = true;
    table->settled_n++;
}

static void put_settled(struct call *call, int64_t id, const char *code)
{
    const struct table_row *table = store_find(call->tx, id);
    bool seats = strcmp(code, "ok") == 0 || strcmp(code, "already_done") == 0;
    for (size_t i = 0; i < (seats ? table->seats_n : 1u); i++) {
        rows_int(call->answer, id);
        rows_text(call->answer, code);
        rows_int(call->answer, id);
        rows_int(call->answer, (int64_t)i);
        if (seats && table->seats[i].player)
            rows_int(call->answer, table->seats[i].player);
        else
            rows_null(call->answer);
        for (int k = 0; k < 8; k++)
            rows_int(call->answer, 0);
        rows_text(call->answer, "");
        rows_int(call->answer, 0);
        for (int k = 0; k < 3; k++)
            rows_bool(call->answer, false);
    }
}

enum verdict statement_settle_batch(struct call *call)
{
    size_t n = arg_items(call->args, 0);
    for (size_t i = 0; i < n; i++)
        if (!lock_with_node(call, arg_item_int(call->args, 0, i)))
            return WAITS;
    rows_begin(call->answer,
               "table_id code game_id seat player_id game_points clover silver gold silver_lost "
               "level_gold level levels_gained title rating rated took_part same_people");
    for (size_t i = 0; i < n; i++) {
        int64_t id = arg_item_int(call->args, 0, i);
        const struct table_row *table = store_find(call->tx, id);
        bool again = table->state == ROW_FINISHED && sim_planted != SIM_PLANT_SETTLED_TWICE;
        const char *code = again                                                             ? "already_done"
                           : !statement_has_epoch(call, table->node, arg_int(call->args, 1)) ? "stale_epoch"
                           : table->state != ROW_PLAYING && table->state != ROW_FINISHED     ? "not_playing"
                           : table->state == ROW_FINISHED && again                           ? "not_playing"
                                                                                             : "ok";
        if (strcmp(code, "ok") == 0)
            settle_one(call, id, i);
        put_settled(call, id, code);
    }
    return DONE;
}

enum verdict statement_forget_moves(struct call *call)
{
    rows_begin(call->answer, "do_forget_moves");
    rows_null(call->answer);
    return DONE;
}

static enum verdict end_table(struct call *call, enum row_state to, bool refunds)
{
    int64_t id = arg_int(call->args, 0);
    if (!lock_with_node(call, id))
        return WAITS;
    const struct table_row *table = store_find(call->tx, id);
    bool live = table->state <= ROW_PLAYING || (to == ROW_CANCELLED && table->state == ROW_LOST);
    const char *code = table->state == to                                                ? "already_done"
                       : !live                                                           ? "table_over"
                       : !statement_has_epoch(call, table->node, arg_int(call->args, 1)) ? "stale_epoch"
                                                                                         : "ok";
    if (strcmp(code, "ok") == 0) {
        struct table_row *mine = store_change(call->tx, id);
        for (size_t i = 0; refunds && i < mine->seats_n; i++)
            statement_refund(call->tx, &mine->seats[i]);
        mine->state = to;
        mine->journal_folded = true;
        if (to == ROW_LOST)
            sim_trace("table %lld is lost: %s %s", (long long)id, arg_text(call->args, 2),
                      arg_text(call->args, 3));
    }
    rows_begin(call->answer, "code");
    rows_text(call->answer, code);
    return DONE;
}

enum verdict statement_lose_table(struct call *call)
{
    return end_table(call, ROW_LOST, false);
}

enum verdict statement_cancel_table(struct call *call)
{
    return end_table(call, ROW_CANCELLED, true);
}
