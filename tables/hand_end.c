/* Scores and the record of a hand; see hand_end.h. Hub thread. */
#include "tables/hand_end.h"

#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "engine/record/record.h"
#include "tables/journal.h"
#include "tables/state.h"

/* Copies as many whole characters as fit. */
static void copy_name(char out[ENG_NAME_MAX], const char *name)
{
    size_t len = 0, n;
    while ((n = text_utf8_char(name + len, strlen(name + len))) > 0 && len + n < ENG_NAME_MAX)
        len += n;
    ASSERT(len < ENG_NAME_MAX);
    memcpy(out, name, len);
    out[len] = '\0';
}

static void fill_record(const struct tab_table *table, struct eng_record *record)
{
    ASSERT(table->dealt_no > 0 &&
           table->hand_no == table->dealt_no); /* the seeds belong to this hand, not to the next one */
    record->table_id = tab_deal_number(&table->deal, table->id);
    if (table->dealt_no > 1)
        eng_record_follow(record, table->before, &table->between);
    clock_rfc3339(record->start, table->hand_unix_ms);
    clock_rfc3339(record->end, tab_unix_now(table));
    eng_record_set_seed(record, table->server_seed);
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct tab_person *person = &table->seats[i].person;
        copy_name(record->seats[i].name, person->nick);
        record->seats[i].bot = person->bot ? person->bot_level : 0;
        record->seats[i].program = person->program;
        record->seats[i].seed = person->seed;
    }
}

static void read_moves(const struct tab_table *table, struct eng_move *moves)
{
    uint32_t place = 0;
    for (uint32_t i = 0; i < table->moves.n; i++)
        tab_move_log_read(&table->moves, &place, &moves[i]);
}

static bool write_record(struct tab_table *table)
{
    bool ok = false;
    uint32_t n = table->moves.n;
    size_t cap = eng_record_text_max(n);
    struct eng_record *record = malloc(sizeof(*record));
    struct eng_step *steps = malloc((n + 1) * sizeof(*steps));
    struct eng_move *moves = malloc((n + 1) * sizeof(*moves));
    char *text = malloc(cap);
    if (record && steps && moves && text) {
        struct eng_verdict verdict;
        struct buf out = buf_on(text, cap);
        eng_record_init(record, &table->params, table->seats_n, steps, n + 1);
        fill_record(table, record);
        read_moves(table, moves);
        ok = eng_record_play(record, moves, n, &verdict);
        if (!ok)
            log_error("record_refused", LOG_NUM("table", table->id), LOG_TEXT("why", verdict.text));
        eng_record_print(record, &out);
        ok = ok && !out.full;
        table->write.more->record = text;
        table->write.more->record_len = out.len;
    }
    if (!ok) {
        free(text);
        table->write.more->record = NULL;
    }
    free(moves);
    free(steps);
    free(record);
    return ok;
}

/* Appends the actions that ended the session to the record of the last hand, which is already written. */
static bool write_close(struct tab_table *table)
{
    size_t cap = eng_record_text_max(0);
    struct eng_record *record = malloc(sizeof(*record));
    char *text = malloc(cap);
    if (record && text) {
        struct eng_step none;
        struct buf out = buf_on(text, cap);
        eng_record_init(record, &table->params, table->seats_n, &none, 1);
        eng_record_close(record, &table->game, &table->coming);
        eng_record_print_close(record, &out);
        ASSERT(!out.full);
        table->write.more->record = text;
        table->write.more->record_len = out.len;
    } else {
        free(text);
    }
    bool ok = table->write.more->record != NULL;
    free(record);
    return ok;
}

/* Fills in the scores of the last hand, with current totals and places. */
static void fill_scores(struct tab_table *table, bool over)
{
    struct eng_view view;
    eng_view(&table->game, ENG_SPECTATOR, &view);
    for (uint8_t i = 0; i < table->seats_n; i++) {
        const struct eng_event *scored = &table->scored[i];
        ASSERT(scored->type == ENG_EV_SCORED);
        table->write.more->scores[i] = (struct tab_score){
            .points = scored->scored.points,
            .total = view.points[i],
            .place = view.place[i],
            .cards_n = scored->scored.cards_left,
            .opened = (scored->scored.flags & ENG_SCORE_OPENED) != 0,
            .won = over ? (view.winners >> i & 1) != 0 : (scored->scored.flags & ENG_SCORE_WON) != 0,
            .rummy = (scored->scored.flags & ENG_SCORE_RUMMY) != 0,
            .left = view.left[i],
            .turns = table->seats[i].own_turns.turns,
            .own_turns = table->seats[i].own_turns.own,
            .facts = table->facts[i],
            .throws = table->throws.of[i],
        };
        table->write.more->players[i] = table->seats[i].person.player_id;
    }
}

bool tab_hand_end_prepare(struct tab_table *table, bool hand_ended, bool over)
{
    struct tab_write_more *more = tab_journal_more(table);
    ASSERT(table->ended.type == ENG_EV_HAND_ENDED);
    more->seats_n = table->seats_n;
    more->ending = table->ended.hand_ended.ending;
    more->record = NULL;
    more->record_len = 0;
    fill_scores(table, over);
    if (!over) {
        if (tab_deal_is_shared(&table->deal))
            tab_deal_hand_seed(&table->deal, table->dealt_no + 1, more->next_seed);
        else
            table->registry->ports.secret(table->registry->ports.ctx, more->next_seed);
        eng_seed_commit(more->next_commit, more->next_seed);
    }
    return hand_ended ? write_record(table) : write_close(table);
}

void tab_hand_end_record_so_far(struct tab_table *table)
{
    struct tab_write_more *more = tab_journal_more(table);
    more->record = NULL;
    more->record_len = 0;
    (void)write_record(table);
}

void tab_hand_end_keep(struct tab_table *table)
{
    struct tab_hand *last = &table->last;
    ASSERT(table->dealt_no > 0 && table->hand_no == table->dealt_no && !tab_is_in_hand(table));
    *last = (struct tab_hand){.no = table->dealt_no, .dealt_unix_ms = table->hand_unix_ms};
    memcpy(last->server_seed, table->server_seed, sizeof(last->server_seed));
    memcpy(last->commit, table->commit, sizeof(last->commit));
    for (uint8_t i = 0; i < table->seats_n; i++)
        last->seeds[i] = table->seats[i].person.seed;
}
