/* See heads.h: the table `readers` has a function for each header that parses its value. position.c parses
 * the headers of a position. */
#include "engine/record/heads_in.h"

#include <string.h>

#include "base/bug.h"
#include "engine/record/between.h"
#include "engine/record/head_values.h"
#include "engine/record/position.h"
#include "engine/record/text.h"

static bool read_format(struct eng_heads *h)
{
    ASSERT(h->r->steps_n == 0);
    return eng_lex_word(h->lex, ENG_RECORD_FORMAT);
}

static bool read_variant(struct eng_heads *h)
{
    char name[ENG_VARIANT_NAME_MAX];
    size_t start = h->lex->at;
    if (!eng_lex_string(h->lex, name, sizeof name, "the name of a variant"))
        return false;
    const struct eng_params *row = eng_params_find(name);
    if (row == NULL) {
        h->lex->at = start;
        return eng_lex_fail(h->lex, "the name of a known variant");
    }
    h->r->params = *row;
    return true;
}

static bool read_params(struct eng_heads *h)
{
    struct eng_lex *lex = h->lex;
    bool seen[ENG_PARAM_COUNT] = {false};
    if (h->seen[HEAD_VARIANT] == 0)
        return eng_lex_fail(lex, "Variant before Params");
    do {
        const char *at = lex->text + lex->at, *equals = NULL;
        if (!eng_lex_at_end(lex))
            equals = memchr(at, '=', lex->len - lex->at < 40 ? lex->len - lex->at : 40);
        int field = equals == NULL ? -1 : eng_param_named(at, (size_t)(equals - at));
        if (field < 0 || seen[field])
            return eng_lex_fail(lex, "the name of a parameter, each at most once, and =");
        lex->at += (size_t)(equals - at) + 1;
        int64_t value;
        const struct eng_param_field *f = &eng_param_fields[field];
        if (!eng_lex_number(lex, f->least, f->greatest, &value, "a valid number for this parameter"))
            return false;
        seen[field] = eng_param_set(&h->r->params, field, (long)value);
        ASSERT(seen[field]);
        h->params_n++;
    } while (eng_lex_try(lex, " "));
    return true;
}

static bool read_table(struct eng_heads *h)
{
    int64_t value = 0;
    bool ok = eng_lex_number(h->lex, 0, INT64_MAX, &value, "the number of a table");
    h->r->table_id = (uint64_t)value;
    return ok;
}

static bool read_hand(struct eng_heads *h)
{
    int64_t value = 0;
    bool ok = eng_lex_number(h->lex, 1, UINT32_MAX, &value, "the number of the hand, from 1");
    h->r->hand_no = (uint32_t)value;
    return ok;
}

static bool read_players(struct eng_heads *h)
{
    int64_t value = 0;
    bool ok = eng_lex_number(h->lex, 2, ENG_SEAT_MAX, &value, "the number of players");
    h->r->players = (uint8_t)value;
    return ok;
}

static bool read_start(struct eng_heads *h)
{
    return eng_lex_string(h->lex, h->r->start, sizeof h->r->start, "a time such as 2026-11-20T19:28:00.123Z");
}

static bool read_end(struct eng_heads *h)
{
    return eng_lex_string(h->lex, h->r->end, sizeof h->r->end, "a time such as 2026-11-20T19:28:00.123Z");
}

static bool read_name(struct eng_heads *h)
{
    char *name = h->r->seats[h->seat].name;
    return eng_lex_string(h->lex, name, ENG_NAME_MAX,
                          "a name of at most 95 bytes without control characters");
}

static bool read_kind(struct eng_heads *h)
{
    char kind[16];
    size_t start = h->lex->at;
    if (!eng_lex_string(h->lex, kind, sizeof kind, "person or bot"))
        return false;
    if (strcmp(kind, ENG_RECORD_PROGRAM) == 0) {
        h->r->seats[h->seat].program = true;
        return true;
    }
    for (size_t i = 0; i < ENG_BOT_LEVELS; i++) {
        if (strcmp(eng_record_kinds[i], kind) != 0)
            continue;
        h->r->seats[h->seat].bot = (uint8_t)i;
        return true;
    }
    h->lex->at = start;
    return eng_lex_fail(h->lex, "person, bot account, bot easy, bot medium, bot strong, or bot master");
}

static bool read_commit(struct eng_heads *h)
{
    size_t n;
    return eng_lex_hex(h->lex, h->r->commit, sizeof h->r->commit, sizeof h->r->commit, &n);
}

static bool read_server_seed(struct eng_heads *h)
{
    size_t n;
    h->r->has_seed = true;
    return eng_lex_hex(h->lex, h->r->server_seed, sizeof h->r->server_seed, sizeof h->r->server_seed, &n);
}

static bool read_client_seed(struct eng_heads *h)
{
    size_t n = 0;
    struct eng_client_seed *seed = &h->r->seats[h->seat].seed;
    if (!eng_lex_hex(h->lex, seed->bytes, 0, ENG_CLIENT_SEED_MAX, &n))
        return false;
    seed->len = (uint8_t)n;
    return n == 0 || n >= ENG_CLIENT_SEED_MIN ||
           eng_lex_fail(h->lex, "no client seed, or one of at least 16 bytes");
}

static bool read_setup(struct eng_heads *h)
{
    h->r->has_setup = true;
    return eng_lex_word(h->lex, "yes");
}

static bool read_starter(struct eng_heads *h)
{
    return eng_lex_seat(h->lex, ENG_SEAT_MAX, &h->r->setup.starter);
}

static bool read_cards(struct eng_heads *h)
{
    struct eng_cards *hand = &h->r->setup.hand[h->seat];
    uint8_t card;
    do {
        if (!eng_lex_card(h->lex, &card))
            return false;
        if (eng_cards_has(hand, card))
            return eng_lex_fail(h->lex, "each card only once");
        eng_cards_add(hand, card);
    } while (eng_lex_try(h->lex, " "));
    return true;
}

static bool read_seat_numbers(struct eng_heads *h, int32_t *numbers)
{
    int64_t value;
    ASSERT(h->r->players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < h->r->players; seat++) {
        if (seat > 0 && !eng_lex_word(h->lex, " "))
            return false;
        if (!eng_lex_number(h->lex, -999999, 999999, &value, "a number for each seat"))
            return false;
        numbers[seat] = (int32_t)value;
    }
    h->r->has_totals = true;
    return h->r->players > 0 || eng_lex_fail(h->lex, "Players before Totals");
}

static bool read_totals(struct eng_heads *h)
{
    return read_seat_numbers(h, h->r->totals);
}

static bool read_bonus(struct eng_heads *h)
{
    return read_seat_numbers(h, h->r->bonus);
}

static bool read_left(struct eng_heads *h)
{
    return eng_record_read_seats(h, &h->r->setup.left);
}

static bool read_away(struct eng_heads *h)
{
    return eng_record_read_seats(h, &h->r->setup.away);
}

static bool read_out(struct eng_heads *h)
{
    return eng_record_read_small_numbers(h, h->r->setup.out_at, ENG_HANDS_MAX,
                                         "the hand in which the seat went out");
}

static bool read_wild(struct eng_heads *h)
{
    h->r->setup.has_wild = true;
    return eng_lex_card(h->lex, &h->r->setup.wild);
}

static bool read_between(struct eng_heads *h)
{
    return eng_record_parse_between(h->lex, h->r->players, &h->r->between);
}

/* NULL: parsed by position.c. */
static bool (*const readers[HEAD_COUNT])(struct eng_heads *) = {
    [HEAD_FORMAT] = read_format,
    [HEAD_VARIANT] = read_variant,
    [HEAD_PARAMS] = read_params,
    [HEAD_TABLE] = read_table,
    [HEAD_HAND] = read_hand,
    [HEAD_PLAYERS] = read_players,
    [HEAD_START] = read_start,
    [HEAD_END] = read_end,
    [HEAD_NAME] = read_name,
    [HEAD_KIND] = read_kind,
    [HEAD_COMMIT] = read_commit,
    [HEAD_SERVER_SEED] = read_server_seed,
    [HEAD_CLIENT_SEED] = read_client_seed,
    [HEAD_TOTALS] = read_totals,
    [HEAD_BONUS] = read_bonus,
    [HEAD_OUT] = read_out,
    [HEAD_LEFT] = read_left,
    [HEAD_AWAY] = read_away,
    [HEAD_BETWEEN] = read_between,
    [HEAD_SETUP] = read_setup,
    [HEAD_STARTER] = read_starter,
    [HEAD_WILD] = read_wild,
    [HEAD_CARDS] = read_cards,
};

/* Returns the header whose name is at the cursor and sets h->seat; HEAD_COUNT if there is none. */
static int head_named(struct eng_heads *h)
{
    struct eng_lex *lex = h->lex;
    for (int head = 0; head < HEAD_COUNT; head++) {
        const struct eng_record_head *row = &eng_record_heads[head];
        size_t start = lex->at;
        if (!eng_lex_try(lex, row->name))
            continue;
        bool digit =
            !eng_lex_at_end(lex) && lex->text[lex->at] >= '0' && lex->text[lex->at] < '0' + ENG_SEAT_MAX;
        h->seat = 0;
        if (row->per_seat && digit)
            h->seat = lex->text[lex->at++] - '0';
        if ((!row->per_seat || digit) && eng_lex_next_is(lex, ' '))
            return head;
        lex->at = start;
    }
    return HEAD_COUNT;
}

static bool read_head(struct eng_heads *h)
{
    struct eng_lex *lex = h->lex;
    if (!eng_lex_word(lex, "["))
        return false;
    int head = head_named(h);
    if (head == HEAD_COUNT)
        return eng_lex_fail(lex, "the name of a header");
    uint8_t bit = (uint8_t)(1 << h->seat);
    if ((h->seen[head] & bit) != 0 && !eng_record_heads[head].repeats)
        return eng_lex_fail(lex, "each header once");
    if (!eng_lex_word(lex, " \"") ||
        !(readers[head] != NULL ? readers[head](h) : eng_record_read_position(h, head)))
        return false;
    h->seen[head] |= bit;
    return eng_lex_word(lex, "\"]") && eng_lex_word(lex, "\n");
}

/* Whether the record must have this header. */
static bool needed(const struct eng_record *r, int head)
{
    static const uint8_t always[] = {HEAD_VARIANT, HEAD_PLAYERS, HEAD_CARDS, HEAD_STARTER};
    static const uint8_t dealt[] = {HEAD_PARAMS, HEAD_TABLE,       HEAD_HAND,       HEAD_NAME,
                                    HEAD_KIND,   HEAD_SERVER_SEED, HEAD_CLIENT_SEED};
    static const uint8_t placed[] = {HEAD_TO_MOVE, HEAD_PHASE, HEAD_TURNS};
    ASSERT(head < HEAD_COUNT);
    if (head == HEAD_WILD)
        return r->params.family == ENG_FAMILY_DECLARE;
    if (head == HEAD_DECLARER)
        return r->has_setup && r->setup.phase == ENG_TO_GROUP;
    return memchr(always, head, sizeof always) != NULL ||
           (!r->has_setup && memchr(dealt, head, sizeof dealt) != NULL) ||
           (r->has_setup && memchr(placed, head, sizeof placed) != NULL);
}

/* Whether the header exists only in the declare family. */
static bool of_declare(int head)
{
    static const uint8_t heads[] = {HEAD_OUT,   HEAD_WILD,     HEAD_OPEN_CARD, HEAD_PICKED, HEAD_LOST,
                                    HEAD_WRONG, HEAD_DECLARER, HEAD_GROUPS,    HEAD_DONE};
    ASSERT(head < HEAD_COUNT);
    return memchr(heads, head, sizeof heads) != NULL;
}

/* Whether every required header is present for the right seats, and no other one. */
static bool headers_fit(struct eng_heads *h)
{
    const struct eng_record *r = h->r;
    uint8_t all = (uint8_t)((1 << r->players) - 1), sat_out = 0;
    if (r->players >= 2)
        sat_out = record_sat_out(r);
    for (int head = 0; head < HEAD_COUNT; head++) {
        uint8_t may = eng_record_heads[head].per_seat ? all : 1;
        if (head == HEAD_CARDS)
            may &= (uint8_t)~sat_out;
        uint8_t must = needed(r, head) ? may : 0;
        if ((h->seen[head] & ~may) != 0 || (h->seen[head] & must) != must)
            return eng_lex_fail(h->lex, eng_record_heads[head].per_seat ? "every seat header for each seat"
                                                                        : "all required headers");
        if (!r->has_setup && head > HEAD_CARDS && h->seen[head] != 0)
            return eng_lex_fail(h->lex, "Setup with the headers of a position");
        if (r->params.family == ENG_FAMILY_MELD && of_declare(head) && h->seen[head] != 0)
            return eng_lex_fail(h->lex, "no headers of Indian games");
    }
    return true;
}

static bool complete(struct eng_heads *h)
{
    struct eng_record *r = h->r;
    uint8_t all = (uint8_t)((1 << r->players) - 1);
    if (r->has_totals && r->hand_no > ENG_HANDS_MAX)
        return eng_lex_fail(h->lex, "a hand number that is possible in a session");
    if (!headers_fit(h))
        return false;
    if (!r->has_setup && h->params_n != eng_params_fields(&r->params))
        return eng_lex_fail(h->lex, "all parameters of the variant");
    if ((h->seen[HEAD_COMMIT] != 0) != (h->seen[HEAD_SERVER_SEED] != 0))
        return eng_lex_fail(h->lex, "both Commit and ServerSeed, or neither");
    if (h->seen[HEAD_TOTALS] != h->seen[HEAD_BONUS])
        return eng_lex_fail(h->lex, "both Totals and Bonus, or neither");
    if (h->seen[HEAD_BETWEEN] != 0 && (!r->has_totals || r->has_setup))
        return eng_lex_fail(h->lex, "Between only in a later hand of a session");
    if (!r->has_seed && h->seen[HEAD_CLIENT_SEED] != 0)
        return eng_lex_fail(h->lex, "ServerSeed together with client seeds");
    if (r->setup.starter >= r->players || r->setup.to_move >= r->players || r->setup.opened > all ||
        (r->setup.left | r->setup.away | r->setup.picked | r->setup.wrong | r->setup.done) > all)
        return eng_lex_fail(h->lex, "only seats of this table in the headers");
    return true;
}

bool eng_record_parse_heads(struct eng_lex *lex, struct eng_record *r)
{
    struct eng_heads h = {.lex = lex, .r = r};
    r->hand_no = 1;
    eng_lex_skip_comments(lex);
    do {
        if (!read_head(&h))
            return false;
        if (h.seen[HEAD_FORMAT] == 0)
            return eng_lex_fail(lex, "[Rummyd \"" ENG_RECORD_FORMAT "\"] first");
        eng_lex_skip_comments(lex);
    } while (eng_lex_next_is(lex, '['));
    return complete(&h);
}
