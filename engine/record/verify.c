/* Deals, replays, and scores a record again, or makes one from moves only. Both use the same code, which
 * either compares with the record or fills it in. Called by `rummyd verify`, at settlement, and by
 * tests. */
#include <string.h>

#include "base/bug.h"
#include "engine/core/session.h"
#include "engine/record/record.h"
#include "engine/record/replay.h"
#include "engine/record/text.h"
#include "engine/record/verdict.h"

void eng_record_init(struct eng_record *r, const struct eng_params *params, int players,
                     struct eng_step *steps, uint32_t steps_max)
{
    ASSERT(players >= 2 && players <= ENG_SEAT_MAX && steps != NULL);
    memset(r, 0, sizeof *r);
    r->params = *params;
    r->players = (uint8_t)players;
    r->hand_no = 1;
    r->result.winner = ENG_NO_SEAT;
    r->steps = steps;
    r->steps_max = steps_max;
}

void eng_record_set_seed(struct eng_record *r, const uint8_t server_seed[32])
{
    ASSERT(r != NULL && server_seed != NULL);
    r->has_seed = true;
    memcpy(r->server_seed, server_seed, sizeof r->server_seed);
    eng_seed_commit(r->commit, server_seed);
}

void eng_record_follow(struct eng_record *r, const struct eng_game *before, const struct eng_between *between)
{
    ASSERT(before->phase == ENG_HAND_OVER && before->players == r->players);
    uint8_t in = eng_session_in(before), starter = before->starter;
    do
        starter = (uint8_t)((starter + 1) % before->players);
    while (!eng_seat_bit(in, starter));
    r->has_totals = true;
    r->hand_no = before->hand_no + 1U;
    for (int seat = 0; seat < before->players; seat++) {
        r->totals[seat] = before->points[seat];
        r->bonus[seat] = before->bonus[seat];
    }
    r->setup = (struct eng_setup){.starter = starter, .left = before->left, .away = before->away};
    memcpy(r->setup.out_at, before->out_at, sizeof r->setup.out_at);
    r->between = between ? *between : (struct eng_between){0};
}

static void verdict_clear(struct eng_verdict *v, uint32_t steps_n)
{
    ASSERT(v != NULL);
    *v = (struct eng_verdict){
        .step = steps_n, .seat = ENG_NO_SEAT, .number = ENG_NO_SEAT, .text = "The record is correct."};
}

/* ---- The start ---- */

static void key_of(const struct eng_record *r, uint8_t key[ENG_KEY_BYTES])
{
    struct eng_client_seed seeds[ENG_SEAT_MAX];
    ASSERT(r->players <= ENG_SEAT_MAX);
    for (int seat = 0; seat < r->players; seat++)
        seeds[seat] = r->seats[seat].seed;
    if (r->has_seed)
        eng_deal_key(key, r->server_seed, r->table_id, r->hand_no, seeds, r->players);
    else
        memset(key, 0, ENG_KEY_BYTES);
}

static void take_totals(const struct eng_record *r, struct eng_game *g)
{
    ASSERT(g->players <= ENG_SEAT_MAX);
    for (int seat = 0; r->has_totals && seat < g->players; seat++) {
        g->points[seat] = r->totals[seat];
        g->bonus[seat] = r->bonus[seat];
    }
}

static bool blame_position(struct eng_verdict *v, const struct eng_setup_fault *fault)
{
    ASSERT(fault->text != NULL);
    v->header = fault->header;
    v->number = fault->number;
    v->cards_n = fault->card != ENG_NO_CARD;
    v->cards[0] = v->cards_n > 0 ? fault->card : 0;
    return eng_verdict_fail(v, ENG_VERDICT_WRONG_POSITION, fault->seat, fault->text);
}

static bool start_game(const struct eng_record *r, struct eng_game *g, struct eng_verdict *v)
{
    uint8_t key[ENG_KEY_BYTES], commit[32];
    ASSERT(r->has_seed || r->has_setup);
    eng_seed_commit(commit, r->server_seed);
    if (r->has_seed && memcmp(commit, r->commit, sizeof commit) != 0)
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_COMMIT, ENG_NO_SEAT,
                                "The server seed does not match the commitment.");
    if (!eng_params_ok(&r->params, r->players))
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_POSITION, ENG_NO_SEAT,
                                "The parameters contradict each other.");
    key_of(r, key);
    if (r->has_totals && r->hand_no > (uint32_t)eng_session_hands_max(&r->params))
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_POSITION, ENG_NO_SEAT,
                                "A session cannot have a hand with this number.");
    struct eng_setup setup = r->setup;
    struct eng_setup_fault fault;
    setup.hand_no = (uint8_t)(r->has_totals ? r->hand_no : 0);
    if (r->has_setup) {
        bool good = eng_setup_place(g, &r->params, r->players, key, &setup, &fault);
        take_totals(r, g);
        return good || blame_position(v, &fault);
    }
    struct eng_outcome out;
    eng_init(g, &r->params, r->players);
    if (r->has_totals) {
        if (r->hand_no < 2)
            return eng_verdict_fail(v, ENG_VERDICT_WRONG_POSITION, ENG_NO_SEAT,
                                    "A session cannot have a hand with this number.");
        g->phase = ENG_HAND_OVER;
        g->hand_no = (uint8_t)(r->hand_no - 1);
        g->starter = (uint8_t)((r->setup.starter + r->players - 1) % r->players);
        take_totals(r, g);
        if (!eng_setup_session(g, &setup, &fault))
            return blame_position(v, &fault);
    }
    eng_deal(g, key, &out);
    return true;
}

static bool compare_deal(const struct eng_record *r, const struct eng_game *g, struct eng_verdict *v)
{
    ASSERT(g->players == r->players);
    if (g->starter != r->setup.starter) {
        eng_verdict_put_seat(v->stated, r->setup.starter);
        eng_verdict_put_seat(v->real, g->starter);
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_DEAL, ENG_NO_SEAT,
                                "The seeds give a different starter.");
    }
    if (r->setup.has_wild && r->setup.wild != g->wild_card) {
        eng_verdict_put_cards(v->stated, &r->setup.wild, 1);
        eng_verdict_put_cards(v->real, &g->wild_card, 1);
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_DEAL, ENG_NO_SEAT,
                                "The seeds give a different wild card.");
    }
    for (uint8_t seat = 0; seat < r->players; seat++) {
        if (memcmp(&g->hand[seat], &r->setup.hand[seat], sizeof g->hand[seat]) == 0)
            continue;
        eng_verdict_put_hand(v->stated, &r->setup.hand[seat]);
        eng_verdict_put_hand(v->real, &g->hand[seat]);
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_DEAL, seat,
                                "The seeds deal different cards to this seat.");
    }
    return true;
}

bool eng_record_start(const struct eng_record *r, struct eng_game *g, struct eng_verdict *v)
{
    ASSERT(r != NULL && g != NULL);
    verdict_clear(v, r->steps_n);
    return start_game(r, g, v) && (r->has_setup || compare_deal(r, g, v));
}

/* ---- The moves ---- */

/* Copies only the fields relevant for the move's type, so that equal moves have equal bytes and equal
 * text. */
static struct eng_move plain_move(const struct eng_move *m)
{
    struct eng_move plain = {.type = m->type, .seat = m->seat, .meld = ENG_NO_MELD, .n = m->n};
    ASSERT(m->n <= ENG_MOVE_CARDS_MAX);
    memcpy(plain.cards, m->cards, m->n);
    if (m->type == ENG_LAY_OFF || m->type == ENG_SWAP || m->type == ENG_TAKE_BACK)
        plain.meld = m->meld;
    if (m->type == ENG_LAY_OFF || m->type == ENG_GROUP)
        plain.end = m->end;
    if (m->type == ENG_CLOSE)
        plain.seat = 0;
    if (!eng_move_has_groups(m->type))
        return plain;
    int grouped = 0;
    plain.groups = m->groups;
    for (int i = 0; i < m->groups && i < ENG_GROUPS_MAX; i++) {
        plain.lens[i] = m->lens[i];
        grouped += m->lens[i];
    }
    if (m->type == ENG_GROUP && grouped <= m->n) {
        memset(plain.cards + grouped, 0, (size_t)(m->n - grouped)); /* the rest is not recorded */
        plain.n = (uint8_t)grouped;
    }
    return plain;
}

/* The card that a move revealed: drawn, or discarded by a timeout. */
uint8_t eng_record_shown(const struct eng_move *m, const struct eng_outcome *out)
{
    uint8_t card = ENG_NO_CARD;
    ASSERT(out->code == ENG_OK);
    int wanted = m->type == ENG_TIME_OUT ? ENG_EV_DISCARDED : ENG_EV_DREW;
    for (int i = 0; i < out->events_n; i++)
        if (out->events[i].type == wanted)
            card = out->events[i].cards[out->events[i].n - 1];
    return card;
}

/* ---- The result ---- */

/* The arrangement that was scored for a seat that never grouped. */
static void keep_arrangement(struct eng_grouping *arranged, const struct eng_event *e)
{
    ASSERT(e->groups > 0 && e->n <= ENG_GROUPING_CARDS);
    arranged->n = e->n;
    arranged->groups = e->groups;
    memcpy(arranged->cards, e->cards, e->n);
    memcpy(arranged->lens, e->lens, e->groups);
}

/* The result, from the last outcome and the game. */
struct eng_record_result eng_record_result_of(const struct eng_game *g, const struct eng_outcome *out)
{
    struct eng_record_result result = {.finished = g->ending != 0, .ending = g->ending, .winner = g->winner};
    for (int i = 0; result.finished && i < out->events_n; i++) {
        const struct eng_event *e = &out->events[i];
        if (e->type == ENG_EV_HAND_ENDED)
            result.rummy = e->hand_ended.rummy;
        if (e->type != ENG_EV_SCORED)
            continue;
        struct eng_record_score *score = &result.scores[e->seat];
        *score = (struct eng_record_score){.points = e->scored.points,
                                           .place = e->scored.place,
                                           .cards = e->scored.cards_left,
                                           .flags = e->scored.flags};
        if (e->groups > 0 && g->saves[e->seat] == 0 &&
            (e->scored.flags & (ENG_SCORE_WON | ENG_SCORE_WRONG)) == 0)
            keep_arrangement(&score->arranged, e);
    }
    ASSERT(result.ending < ENG_ENDINGS_N);
    return result;
}

/* Whether the recorded arrangement consists of this hand and scores the same as the actual one; it need not
 * be identical, because several may be best. If none is recorded, there is nothing to compare. */
static bool arrangement_holds(const struct eng_record *r, const struct eng_grouping *stated,
                              const struct eng_grouping *real)
{
    struct eng_grouping made = *stated;
    struct eng_cards left = {0};
    uint8_t rest[ENG_CARD_MAX];
    ASSERT(stated->n <= ENG_GROUPING_CARDS && real->n <= ENG_GROUPING_CARDS);
    if (stated->groups == 0)
        return true;
    struct eng_wild wild = eng_wild_of(&r->params, r->setup.wild);
    for (int i = 0; i < real->n; i++)
        eng_cards_add(&left, real->cards[i]);
    made.n = 0;
    for (int i = 0; i < stated->groups; i++)
        made.n = (uint8_t)(made.n + stated->lens[i]);
    for (int i = 0; i < made.n; i++) {
        if (!eng_cards_has(&left, stated->cards[i]))
            return false;
        eng_cards_remove(&left, stated->cards[i]);
    }
    int n = eng_cards_list(&left, rest);
    memcpy(made.cards + made.n, rest, (size_t)n);
    made.n = (uint8_t)(made.n + n);
    return eng_grouping_points(&wild, &made, r->params.points_cap) ==
           eng_grouping_points(&wild, real, r->params.points_cap);
}

bool eng_record_compare(const struct eng_record *r, const struct eng_record_result *real,
                        struct eng_verdict *v)
{
    const struct eng_record_result *stated = &r->result;
    ASSERT(r->players >= 2);
    v->turn = 0;
    if (stated->finished != real->finished)
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SCORE, ENG_NO_SEAT,
                                stated->finished ? "The record has a result, but the hand is not over."
                                                 : "The hand is over, but the record has no result.");
    if (!stated->finished)
        return true;
    if (stated->ending != real->ending || stated->winner != real->winner || stated->rummy != real->rummy) {
        eng_verdict_put_ending(v->stated, stated);
        eng_verdict_put_ending(v->real, real);
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SCORE, ENG_NO_SEAT, "The hand ended differently.");
    }
    for (uint8_t seat = 0; seat < r->players; seat++) {
        const struct eng_record_score *a = &stated->scores[seat], *b = &real->scores[seat];
        if (a->points != b->points || a->place != b->place || a->cards != b->cards || a->flags != b->flags) {
            eng_verdict_put_score(v->stated, a);
            eng_verdict_put_score(v->real, b);
            return eng_verdict_fail(v, ENG_VERDICT_WRONG_SCORE, seat,
                                    "This seat's score does not match the hand.");
        }
        if (!arrangement_holds(r, &a->arranged, &b->arranged))
            return eng_verdict_fail(v, ENG_VERDICT_WRONG_SCORE, seat,
                                    "This seat's cards were counted in different groups.");
    }
    return true;
}

bool eng_record_end(const struct eng_record *r, struct eng_game *g, struct eng_verdict *v)
{
    struct eng_outcome out;
    ASSERT(r->steps_n <= r->steps_max);
    if (!eng_record_start(r, g, v))
        return false;
    out.events_n = 0;
    v->turn = 1;
    for (v->step = 0; v->step < r->steps_n; v->step++) {
        const struct eng_step *step = &r->steps[v->step];
        if (!eng_record_play_step(g, &step->move, &out, v))
            return false;
        uint8_t shown = eng_record_shown(&step->move, &out);
        if (shown != step->card) {
            eng_verdict_put_cards(v->stated, &step->card, step->card != ENG_NO_CARD);
            eng_verdict_put_cards(v->real, &shown, shown != ENG_NO_CARD);
            return eng_verdict_fail(v, ENG_VERDICT_WRONG_DEAL, step->move.seat,
                                    "The seeds give a different card here.");
        }
        v->turn += record_ends_turn(r, &step->move);
    }
    struct eng_record_result real = eng_record_result_of(g, &out);
    return eng_record_compare(r, &real, v) && eng_record_close_holds(r, g, v);
}

bool eng_record_verify(const struct eng_record *r, struct eng_verdict *v)
{
    struct eng_game g;
    bool good = eng_record_end(r, &g, v);
    ASSERT(good == (v->code == ENG_VERDICT_OK));
    return good;
}

static bool blame_hand_no(const struct eng_record *r, const struct eng_record *before, struct eng_verdict *v)
{
    eng_verdict_put_number(v->stated, r->hand_no);
    eng_verdict_put_number(v->real, (int64_t)before->hand_no + 1);
    return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
                            "This is not the next hand of the session.");
}

bool eng_record_follows(const struct eng_record *r, const struct eng_record *before,
                        const struct eng_game *end, struct eng_verdict *v)
{
    verdict_clear(v, r->steps_n);
    ASSERT(end->players == before->players);
    if (r->has_setup || before->has_setup || r->table_id != before->table_id ||
        r->players != before->players || memcmp(&r->params, &before->params, sizeof r->params) != 0)
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
                                "This hand and the previous one belong to different sessions.");
    if (r->hand_no != before->hand_no + 1)
        return blame_hand_no(r, before, v);
    if (end->phase != ENG_HAND_OVER)
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
                                end->ending == 0 ? "The previous hand was not played to its end."
                                                 : "The session ended with the previous hand.");
    struct eng_game next = *end;
    if (!eng_record_play_between(&r->between, &next, v))
        return false;
    if (next.phase != ENG_HAND_OVER)
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
                                "The session was over before this hand.");
    for (uint8_t seat = 0; seat < r->players; seat++) {
        bool total = r->totals[seat] == next.points[seat];
        if (total && r->bonus[seat] == next.bonus[seat])
            continue;
        eng_verdict_put_number(v->stated, total ? r->bonus[seat] : r->totals[seat]);
        eng_verdict_put_number(v->real, total ? next.bonus[seat] : next.points[seat]);
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SCORE, seat,
                                total ? "The bonus before this hand does not match the previous hands."
                                      : "The total before this hand does not match the previous hands.");
    }
    if (next.left != r->setup.left || next.away != (r->setup.away | r->setup.left) ||
        memcmp(next.out_at, r->setup.out_at, sizeof next.out_at) != 0)
        return eng_verdict_fail(
            v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
            "The seats that are out, have left, or are away do not match the previous hand.");
    if (!eng_may_deal(&next))
        return eng_verdict_fail(v, ENG_VERDICT_WRONG_SESSION, ENG_NO_SEAT,
                                "Before this hand, only one seat was still in, and no one had rejoined.");
    struct eng_outcome out;
    uint8_t key[ENG_KEY_BYTES];
    key_of(r, key);
    eng_deal(&next, key, &out);
    if (r->setup.starter == next.starter)
        return true;
    eng_verdict_put_seat(v->stated, r->setup.starter);
    eng_verdict_put_seat(v->real, next.starter);
    return eng_verdict_fail(v, ENG_VERDICT_WRONG_DEAL, ENG_NO_SEAT, "A different seat starts this hand.");
}

bool eng_record_play(struct eng_record *r, const struct eng_move *moves, uint32_t n, struct eng_verdict *v)
{
    struct eng_game g;
    struct eng_outcome out;
    verdict_clear(v, n);
    if (n > r->steps_max)
        return eng_verdict_fail(v, ENG_VERDICT_TOO_LONG, ENG_NO_SEAT, "The record has too many moves.");
    if (!start_game(r, &g, v))
        return false;
    if (!r->has_setup) {
        r->setup.starter = g.starter;
        r->setup.has_wild = g.wild_card != ENG_NO_CARD;
        r->setup.wild = r->setup.has_wild ? g.wild_card : 0;
        memcpy(r->setup.hand, g.hand, sizeof g.hand);
    }
    out.events_n = 0;
    v->turn = 1;
    for (v->step = 0; v->step < n; v->step++) {
        struct eng_move move = plain_move(&moves[v->step]);
        if (!eng_record_play_step(&g, &move, &out, v))
            return false;
        r->steps[v->step] = (struct eng_step){.move = move, .card = eng_record_shown(&move, &out)};
        v->turn += record_ends_turn(r, &move);
    }
    r->steps_n = n;
    r->result = eng_record_result_of(&g, &out);
    ASSERT(r->steps_n <= r->steps_max);
    return true;
}
