/* Writes records; the grammar is in docs/records.md. Called at settlement and by tests. */
#include <string.h>

#include "base/bug.h"
#include "base/text.h"
#include "engine/record/between.h"
#include "engine/record/text.h"

/* ---- Pieces ---- */

static void put_card(struct buf *b, uint8_t card)
{
    char name[ENG_CARD_NAME_MAX];
    if (card == ENG_NO_CARD) {
        buf_put(b, "-", 1);
        return;
    }
    int n = eng_card_name(name, card);
    ASSERT(n >= 2);
    buf_put(b, name, (size_t)n);
}

static void put_cards(struct buf *b, const uint8_t *cards, int n)
{
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    for (int i = 0; i < n; i++) {
        if (i > 0)
            buf_put(b, " ", 1);
        put_card(b, cards[i]);
    }
}

static void put_set(struct buf *b, const struct eng_cards *set)
{
    uint8_t cards[ENG_CARD_MAX];
    int n = eng_cards_list(set, cards);
    ASSERT(n <= ENG_CARD_MAX);
    put_cards(b, cards, n);
}

static void put_groups(struct buf *b, const uint8_t *cards, const uint8_t *lens, int groups)
{
    ASSERT(groups >= 0 && groups <= ENG_GROUPS_MAX);
    for (int i = 0; i < groups; cards += lens[i++]) {
        if (i > 0)
            buf_put(b, " | ", 3);
        put_cards(b, cards, lens[i]);
    }
}

static void put_hex(struct buf *b, const uint8_t *bytes, size_t len)
{
    char hex[2 * 32 + 1];
    ASSERT(len <= 32);
    text_hex(hex, bytes, len);
    buf_put(b, hex, 2 * len);
}

static void put_seat(struct buf *b, uint8_t seat)
{
    char digit = (char)('0' + seat);
    ASSERT(seat < ENG_SEAT_MAX || seat == ENG_NO_SEAT);
    buf_put(b, seat == ENG_NO_SEAT ? "-" : &digit, 1);
}

static void head_open(struct buf *b, enum eng_record_header head, int seat)
{
    ASSERT(head < HEAD_COUNT && seat < ENG_SEAT_MAX);
    buf_put(b, "[", 1);
    buf_str(b, eng_record_heads[head].name);
    if (eng_record_heads[head].per_seat)
        buf_int(b, seat);
    buf_put(b, " \"", 2);
}

static void head_close(struct buf *b)
{
    ASSERT(b->full || b->len > 0);
    buf_put(b, "\"]\n", 3);
}

/* Escapes quotes and backslashes; replaces characters that would break the line by question marks. */
static void put_name(struct buf *b, const char *name)
{
    ASSERT(name != NULL);
    for (; *name != '\0'; name++) {
        if (*name == '"' || *name == '\\')
            buf_put(b, "\\", 1);
        buf_put(b, (unsigned char)*name < ' ' || *name == 127 ? "?" : name, 1);
    }
}

static void head_text(struct buf *b, enum eng_record_header head, int seat, const char *text)
{
    head_open(b, head, seat);
    put_name(b, text);
    head_close(b);
}

static void head_number(struct buf *b, enum eng_record_header head, uint64_t number)
{
    ASSERT(number <= INT64_MAX);
    head_open(b, head, 0);
    buf_int(b, (int64_t)number);
    head_close(b);
}

/* ---- Headers ---- */

static void print_params(const struct eng_record *r, struct buf *b)
{
    head_text(b, HEAD_VARIANT, 0, r->params.variant);
    head_open(b, HEAD_PARAMS, 0);
    for (int i = 0; i < eng_params_fields(&r->params); i++) {
        if (i > 0)
            buf_put(b, " ", 1);
        buf_str(b, eng_param_fields[i].name);
        buf_put(b, "=", 1);
        buf_int(b, eng_param_get(&r->params, i));
    }
    head_close(b);
}

static void print_seats(const struct eng_record *r, struct buf *b)
{
    ASSERT(r->players >= 2 && r->players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < r->players; seat++) {
        head_text(b, HEAD_NAME, seat, r->seats[seat].name);
        head_text(b, HEAD_KIND, seat, eng_record_kind(&r->seats[seat]));
    }
}

static void print_seeds(const struct eng_record *r, struct buf *b)
{
    head_open(b, HEAD_COMMIT, 0);
    put_hex(b, r->commit, sizeof r->commit);
    head_close(b);
    head_open(b, HEAD_SERVER_SEED, 0);
    put_hex(b, r->server_seed, sizeof r->server_seed);
    head_close(b);
    for (int seat = 0; seat < r->players; seat++) {
        ASSERT(r->seats[seat].seed.len <= ENG_CLIENT_SEED_MAX);
        head_open(b, HEAD_CLIENT_SEED, seat);
        put_hex(b, r->seats[seat].seed.bytes, r->seats[seat].seed.len);
        head_close(b);
    }
}

static void head_seats(const struct eng_record *r, struct buf *b, enum eng_record_header head, uint8_t mask)
{
    bool first = true;
    head_open(b, head, 0);
    for (uint8_t seat = 0; seat < r->players; seat++) {
        if (!eng_seat_bit(mask, seat))
            continue;
        buf_put(b, " ", first ? 0 : 1);
        put_seat(b, seat);
        first = false;
    }
    head_close(b);
}

/* Writes the header unless all numbers are 0. */
static void head_small_numbers(const struct eng_record *r, struct buf *b, enum eng_record_header head,
                               const uint8_t *numbers)
{
    static const uint8_t none[ENG_SEAT_MAX];
    ASSERT(r->players >= 2 && r->players <= ENG_SEAT_MAX);
    if (memcmp(numbers, none, r->players) == 0)
        return;
    head_open(b, head, 0);
    for (int seat = 0; seat < r->players; seat++) {
        buf_put(b, " ", seat > 0);
        buf_int(b, numbers[seat]);
    }
    head_close(b);
}

static void head_seat_numbers(const struct eng_record *r, struct buf *b, enum eng_record_header head,
                              const int32_t *numbers)
{
    ASSERT(r->players >= 2);
    head_open(b, head, 0);
    for (int seat = 0; seat < r->players; seat++) {
        if (seat > 0)
            buf_put(b, " ", 1);
        buf_int(b, numbers[seat]);
    }
    head_close(b);
}

static void print_hands(const struct eng_record *r, struct buf *b)
{
    ASSERT(r->setup.starter < r->players);
    head_number(b, HEAD_STARTER, r->setup.starter);
    if (r->setup.has_wild) {
        head_open(b, HEAD_WILD, 0);
        put_card(b, r->setup.wild);
        head_close(b);
    }
    uint8_t sat_out = record_sat_out(r);
    for (uint8_t seat = 0; seat < r->players; seat++) {
        if (eng_seat_bit(sat_out, seat))
            continue;
        head_open(b, HEAD_CARDS, seat);
        put_set(b, &r->setup.hand[seat]);
        head_close(b);
    }
}

static void head_pile(struct buf *b, enum eng_record_header head, const uint8_t *cards, int n)
{
    head_open(b, head, 0);
    put_cards(b, cards, n);
    head_close(b);
}

static void print_declare(const struct eng_record *r, struct buf *b)
{
    const struct eng_setup *setup = &r->setup;
    ASSERT(r->has_setup);
    if (setup->open_lies)
        head_text(b, HEAD_OPEN_CARD, 0, "yes");
    head_seats(r, b, HEAD_PICKED, setup->picked);
    head_small_numbers(r, b, HEAD_LOST, setup->lost);
    if (setup->wrong != 0)
        head_seats(r, b, HEAD_WRONG, setup->wrong);
    if (setup->phase == ENG_TO_GROUP)
        head_number(b, HEAD_DECLARER, setup->declarer);
    for (int seat = 0; seat < r->players; seat++) {
        const struct eng_setup_groups *from = &setup->groups[seat];
        if (from->groups == 0)
            continue;
        head_open(b, HEAD_GROUPS, seat);
        put_groups(b, from->cards, from->lens, from->groups);
        head_close(b);
    }
    if (setup->done != 0)
        head_seats(r, b, HEAD_DONE, setup->done);
}

static void print_position(const struct eng_record *r, struct buf *b)
{
    const struct eng_setup *setup = &r->setup;
    head_open(b, HEAD_TURNS, 0);
    for (int seat = 0; seat < r->players; seat++) {
        if (seat > 0)
            buf_put(b, " ", 1);
        buf_int(b, setup->turns[seat]);
    }
    head_close(b);
    head_number(b, HEAD_TO_MOVE, setup->to_move);
    head_text(b, HEAD_PHASE, 0,
              setup->phase == ENG_TO_GROUP  ? "group"
              : setup->phase == ENG_TO_PLAY ? "play"
                                            : "draw");
    head_seats(r, b, HEAD_OPENED, setup->opened);
    for (int id = 0; id < setup->melds_n; id++) {
        head_open(b, HEAD_MELD, 0);
        put_seat(b, setup->melds[id].owner);
        buf_put(b, " ", 1);
        put_cards(b, setup->melds[id].cards, setup->melds[id].n);
        head_close(b);
    }
    head_pile(b, HEAD_DISCARD, setup->discard, setup->discard_n);
    head_pile(b, HEAD_STOCK, setup->stock, setup->stock_n);
    head_text(b, HEAD_REST, 0, setup->rest_to_discard ? "discard" : "stock");
    if (setup->flips > 0)
        head_number(b, HEAD_FLIPS, setup->flips);
    head_small_numbers(r, b, HEAD_MISSED, setup->missed);
    if (r->params.family == ENG_FAMILY_DECLARE)
        print_declare(r, b);
}

static void print_headers(const struct eng_record *r, struct buf *b)
{
    head_text(b, HEAD_FORMAT, 0, ENG_RECORD_FORMAT);
    print_params(r, b);
    head_number(b, HEAD_TABLE, r->table_id);
    head_number(b, HEAD_HAND, r->hand_no);
    head_number(b, HEAD_PLAYERS, r->players);
    if (r->start[0] != '\0')
        head_text(b, HEAD_START, 0, r->start);
    if (r->end[0] != '\0')
        head_text(b, HEAD_END, 0, r->end);
    print_seats(r, b);
    if (r->has_seed)
        print_seeds(r, b);
    if (r->has_totals) {
        head_seat_numbers(r, b, HEAD_TOTALS, r->totals);
        head_seat_numbers(r, b, HEAD_BONUS, r->bonus);
    }
    head_small_numbers(r, b, HEAD_OUT, r->setup.out_at);
    if (r->setup.left != 0)
        head_seats(r, b, HEAD_LEFT, r->setup.left);
    if (r->setup.away != 0)
        head_seats(r, b, HEAD_AWAY, r->setup.away);
    if (r->between.n > 0) {
        head_open(b, HEAD_BETWEEN, 0);
        eng_record_print_between(&r->between, b);
        head_close(b);
    }
    if (r->has_setup)
        head_text(b, HEAD_SETUP, 0, "yes");
    print_hands(r, b);
    if (r->has_setup)
        print_position(r, b);
    buf_put(b, "\n", 1);
}

/* ---- Turns ---- */

static void put_meld_id(struct buf *b, uint8_t id)
{
    ASSERT(id < ENG_MELD_MAX);
    buf_put(b, " m", 2);
    buf_int(b, id);
}

static void print_step(const struct eng_step *step, struct buf *b)
{
    const struct eng_move *m = &step->move;
    ASSERT(m->type > 0 && m->type < ENG_MOVE_TYPE_END);
    buf_str(b, eng_record_actions[m->type]);
    if (m->type == ENG_DRAW_STOCK || m->type == ENG_DRAW_DISCARD || m->type == ENG_TIME_OUT) {
        buf_put(b, " ", 1);
        put_card(b, step->card);
    } else if (m->type == ENG_MELD || m->type == ENG_DISCARD) {
        buf_put(b, " ", 1);
        put_cards(b, m->cards, m->n);
    } else if (m->type == ENG_TAKE_BACK) {
        if (m->meld != ENG_NO_MELD)
            put_meld_id(b, m->meld);
    } else if (m->type == ENG_LAY_OFF || m->type == ENG_SWAP) {
        buf_put(b, " ", 1);
        put_card(b, m->cards[0]);
        put_meld_id(b, m->meld);
        if (m->end != ENG_END_NONE)
            buf_str(b, m->end == ENG_END_LOW ? " low" : " high");
        if (m->n == 2) {
            buf_put(b, " ", 1);
            put_card(b, m->cards[1]);
        }
    } else if (m->type == ENG_DECLARE) {
        buf_put(b, " ", 1);
        put_groups(b, m->cards, m->lens, m->groups);
        buf_str(b, " finish ");
        put_card(b, m->cards[m->n - 1]);
    } else if (m->type == ENG_GROUP) {
        buf_put(b, m->groups > 0 ? " " : " -", m->groups > 0 ? 1 : 2);
        put_groups(b, m->cards, m->lens, m->groups);
        buf_str(b, m->end != 0 ? " done" : "");
    } else if (record_names_seat(m)) {
        buf_put(b, " ", 1);
        put_seat(b, m->seat);
    }
}

/* The seat of the line's turn: the seat of the first move that does not belong to another seat's leaving or
 * returning. */
static uint8_t seat_of_line(const struct eng_record *r, uint32_t from)
{
    ASSERT(from < r->steps_n);
    for (uint32_t i = from; i < r->steps_n; i++) {
        if (!record_of_no_turn(&r->steps[i].move))
            return r->steps[i].move.seat;
        if (record_ends_turn(r, &r->steps[i].move))
            break;
    }
    return ENG_NO_SEAT;
}

static void print_turns(const struct eng_record *r, struct buf *b)
{
    ASSERT(r->steps_n <= r->steps_max);
    uint32_t turn = 0;
    for (uint32_t i = 0; i < r->steps_n; i++) {
        if (i == 0 || record_ends_turn(r, &r->steps[i - 1].move)) {
            if (i > 0)
                buf_put(b, "\n", 1);
            buf_int(b, ++turn);
            buf_put(b, ". ", 2);
            put_seat(b, seat_of_line(r, i));
            buf_put(b, " ", 1);
        } else {
            buf_put(b, ", ", 2);
        }
        print_step(&r->steps[i], b);
    }
    if (r->steps_n > 0)
        buf_put(b, "\n", 1);
}

static void print_result(const struct eng_record *r, struct buf *b)
{
    const struct eng_record_result *result = &r->result;
    ASSERT(result->ending > ENG_ENDED_NOT && result->ending < ENG_ENDINGS_N);
    buf_str(b, "\nresult ");
    buf_str(b, eng_record_endings[result->ending]);
    buf_put(b, " ", 1);
    put_seat(b, result->winner);
    buf_str(b, result->rummy ? " rummy\n" : "\n");
    for (uint8_t seat = 0; seat < r->players; seat++) {
        const struct eng_record_score *score = &result->scores[seat];
        buf_str(b, "score ");
        put_seat(b, seat);
        buf_str(b, " place ");
        buf_int(b, score->place);
        buf_str(b, " points ");
        buf_int(b, score->points);
        buf_str(b, " cards ");
        buf_int(b, score->cards);
        for (int i = 0; i < RECORD_FLAGS; i++) {
            if ((score->flags >> i & 1) == 0)
                continue;
            buf_put(b, " ", 1);
            buf_str(b, eng_record_flags[i]);
        }
        if (score->arranged.groups > 0) {
            buf_str(b, " groups ");
            put_groups(b, score->arranged.cards, score->arranged.lens, score->arranged.groups);
        }
        buf_put(b, "\n", 1);
    }
}

size_t eng_record_text_max(uint32_t steps)
{
    enum { HEAD_BYTES = 8192, STEP_BYTES = 96 };
    ASSERT(steps <= ENG_RECORD_STEPS_MAX);
    return HEAD_BYTES + (size_t)steps * STEP_BYTES;
}

void eng_record_print(const struct eng_record *r, struct buf *b)
{
    ASSERT(r->has_seed || r->has_setup);
    print_headers(r, b);
    print_turns(r, b);
    if (r->result.finished)
        print_result(r, b);
    if (r->close.done.n > 0)
        eng_record_print_close(r, b);
}
