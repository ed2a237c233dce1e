/* One table of the load generator: reads its frames, plays the cheapest legal turn (draws from the stock,
 * discards the drawn card), and times each move. The event loop (bench/load.c) calls these functions. */
#include "bench/load_table.h"

#include <inttypes.h>
#include <string.h>

#include "base/buf.h"
#include "base/bug.h"
#include "base/clock.h"

enum { RETRY_NS = 20 * 1000 * 1000 };

static void note(const struct load *load, char what, const struct load_seat *s, uint32_t v, const char *text,
                 size_t len)
{
    if (load->log)
        fprintf(load->log, "%c %" PRId64 " %d %u %.*s\n", what, s->table->model.id, s->model->seat, v,
                (int)len, text);
}

static struct load_seat *actor_of(struct load_table *t)
{
    for (int i = 0; i < t->model.seats_n; i++) {
        if (t->model.seats[i].ours && t->model.seats[i].seat == t->model.to_move)
            return &t->seats[i];
    }
    return NULL;
}

/* Whether all our seats are connected and at the same version. */
static bool ready(const struct load_table *t)
{
    for (int i = 0; i < t->model.seats_n; i++) {
        const struct model_seat *m = &t->model.seats[i];
        if (m->ours &&
            (t->seats[i].ws.state != WSC_OPEN || t->seats[i].resuming || !m->synced || m->v != t->model.v))
            return false;
    }
    return t->live && t->model.whole;
}

static void send_command(struct load *load, struct load_table *t, struct load_seat *s, const char *type,
                         const char *data)
{
    char text[WSC_COMMAND_MAX];
    struct buf out = buf_on(text, sizeof(text));
    buf_str(&out, "{\"t\":\"");
    buf_str(&out, type);
    buf_str(&out, "\",\"id\":\"c");
    buf_int(&out, ++t->command_n);
    buf_str(&out, "\",\"base\":");
    buf_int(&out, s->model->v);
    buf_str(&out, ",\"d\":");
    buf_str(&out, data);
    buf_str(&out, "}");
    ASSERT(!out.full);
    t->in_flight = true;
    t->acked = false;
    t->actor = (uint8_t)(s - t->seats);
    t->sent_ns = t->last_event_ns = clock_mono_ns();
    note(load, 'C', s, s->model->v, text, out.len);
    wsc_send(&s->ws, text, out.len);
}

static void make_move(struct load *load, struct load_table *t, struct load_seat *s)
{
    char data[48], name[ENG_CARD_NAME_MAX];
    if (t->model.phase == MODEL_TO_DRAW) {
        send_command(load, t, s, "draw", "{\"from\":\"stock\"}");
        return;
    }
    uint8_t card = model_discard(s->model, t->tried);
    if (card == ENG_NO_CARD) {
        t->tried = ENG_NO_CARD;
        return;
    }
    t->tried = card;
    eng_card_name(name, card);
    snprintf(data, sizeof(data), "{\"cards\":[\"%s\"]}", name);
    send_command(load, t, s, "discard", data);
}

void table_try_move(struct load *load, struct load_table *t)
{
    if (t->in_flight || !load->playing || t->retry_ns > load->now_ns || !ready(t))
        return;
    if (t->model.phase != MODEL_TO_DRAW && t->model.phase != MODEL_TO_PLAY)
        return;
    struct load_seat *s = actor_of(t);
    if (!s)
        return; /* a bot's turn */
    if (load->opt.mode == LOAD_OPEN) {
        uint32_t index = (uint32_t)(t - load->tables);
        if (t->fresh)
            t->slot = pace_slot_after(&load->pace, index, load->now_ns);
        t->fresh = false;
        int64_t due = pace_due(&load->pace, index, t->slot);
        if (due > load->now_ns)
            return;
        t->slot++;
        t->due_ns = due;
    }
    make_move(load, t, s);
    if (load->opt.mode != LOAD_OPEN)
        t->due_ns = t->sent_ns;
}

/* A move is complete once it is acknowledged and every seat has received its last event. */
static void check_flight(struct load *load, struct load_table *t)
{
    if (!t->in_flight || !t->acked)
        return;
    for (int i = 0; i < t->model.seats_n; i++) {
        if (t->model.seats[i].ours && t->model.seats[i].told < t->ack_v)
            return;
    }
    t->in_flight = false;
    t->tried = ENG_NO_CARD;
    if (load->measuring) {
        bool last = t->model.phase == MODEL_OVER; /* the last event is sent once the game is settled */
        load->result.moves++;
        hist_add(last ? &load->result.last : &load->result.seen, t->last_event_ns - t->due_ns);
        if (!last)
            hist_add(&load->result.acked, t->ack_ns - t->due_ns);
    }
    model_check_cards(&t->model);
    if (load->opt.think_ms > 0)
        t->retry_ns = load->now_ns + (int64_t)load->opt.think_ms * 1000000;
}

static bool is_my_command(const struct load_table *t, const struct load_seat *s, const struct frame *f)
{
    if (!t->in_flight || &t->seats[t->actor] != s || f->id.n < 2 || f->id.at[0] != 'c')
        return false;
    struct span number = {.at = f->id.at + 1, .n = f->id.n - 1, .kind = '0'};
    return span_int(number, -1) == t->command_n;
}

static void on_ack(struct load *load, struct load_table *t, struct load_seat *s, const struct frame *f)
{
    note(load, 'A', s, (uint32_t)f->v, f->id.at, f->id.n);
    if (f->v < 0) {
        flaw_note(FLAW_BAD_FRAME, t->model.id, s->model->seat, f->whole);
        return;
    }
    if (f->v > s->model->told)
        flaw_note(FLAW_ACK_EARLY, t->model.id, s->model->seat, f->whole);
    if (!is_my_command(t, s, f))
        return;
    t->acked = true;
    t->ack_v = (uint32_t)f->v;
    t->ack_ns = clock_mono_ns();
}

static void on_nack(struct load *load, struct load_table *t, struct load_seat *s, const struct frame *f)
{
    note(load, 'N', s, 0, f->code.at, f->code.n);
    if (!is_my_command(t, s, f)) {
        flaw_note(FLAW_NACK, t->model.id, s->model->seat, f->whole);
        return;
    }
    t->in_flight = false;
    t->retry_ns = load->now_ns + RETRY_NS;
    /* Back-pressure and a clock that ran out meanwhile are not flaws; all other refusals are. */
    if (span_is(f->code, "busy"))
        t->tried = ENG_NO_CARD;
    else if (!span_is(f->code, "not_your_turn") && !span_is(f->code, "stale_base"))
        flaw_note(FLAW_NACK, t->model.id, s->model->seat, f->whole);
}

static void on_event(struct load *load, struct load_table *t, struct load_seat *s, const struct frame *f)
{
    note(load, 'E', s, (uint32_t)f->v, f->whole.at, f->whole.n);
    if (f->v < 1) {
        flaw_note(FLAW_BAD_FRAME, t->model.id, s->model->seat, f->whole);
        return;
    }
    model_event(&t->model, s->model, f);
    t->last_event_ns = clock_mono_ns();
}

/* Whether the frame has no version and needs no reaction. */
static bool is_notice(const struct frame *f)
{
    static const char *const types[] = {"clock",   "waiting",    "presence", "settled", "fairness", "paused",
                                        "resumed", "restarting", "pong",     "legal",   "cancelled"};
    for (size_t i = 0; i < ARRAY_LEN(types); i++) {
        if (span_is(f->type, types[i]))
            return true;
    }
    return false;
}

/* Whether the frame ends the missed events. Frames unrelated to a game may come before those. */
static bool ends_resuming(const struct frame *f)
{
    return !span_is(f->type, "waiting") && !span_is(f->type, "paused") && !span_is(f->type, "restarting");
}

void table_on_frame(void *seat, const char *text, size_t len)
{
    struct load_seat *s = seat;
    struct load_table *t = s->table;
    struct load *load = load_current;
    struct frame f;

    if (s->connect_ns) {
        hist_add(&load->result.connect, clock_mono_ns() - s->connect_ns);
        s->connect_ns = 0;
    }
    if (!frame_read(&f, text, len)) {
        flaw_note(FLAW_BAD_FRAME, t->model.id, s->model->seat, f.whole);
        return;
    }
    if (span_is(f.type, "ack")) {
        on_ack(load, t, s, &f);
    } else if (span_is(f.type, "nack")) {
        on_nack(load, t, s, &f);
    } else if (span_is(f.type, "snapshot") && f.v >= 0) {
        note(load, 'S', s, (uint32_t)f.v, text, len);
        model_snapshot(&t->model, s->model, &f);
    } else if (f.v > 0 || !is_notice(&f)) {
        on_event(load, t, s, &f);
    } else {
        if (s->resuming && ends_resuming(&f)) {
            s->resuming = false;
            model_caught_up(&t->model, s->model);
        }
        if (span_is(f.type, "settled"))
            note(load, 'F', s, 0, text, len);
        return;
    }
    check_flight(load, t);
    table_try_move(load, t);
}

void table_take_grants(struct load *load, struct load_table *t)
{
    struct grants *g = &load->grants;
    size_t at = load->next_grant;

    t->live = false;
    t->in_flight = false;
    t->tried = ENG_NO_CARD;
    uint32_t *texts[MODEL_SEATS_MAX];
    for (int i = 0; i < MODEL_SEATS_MAX; i++)
        texts[i] = t->model.seats[i].texts;
    t->model = (struct model_table){.to_move = ENG_NO_SEAT};
    if (at == g->n)
        return;
    t->model.id = g->items[at].table_id;
    for (int i = 0; at < g->n && g->items[at].table_id == t->model.id && i < MODEL_SEATS_MAX; i++, at++) {
        struct model_seat *m = &t->model.seats[i];
        *m = (struct model_seat){
            .seat = (uint8_t)g->items[at].seat, .ours = true, .drawn = ENG_NO_CARD, .texts = texts[i]};
        if (m->texts)
            memset(m->texts, 0, MODEL_V_MAX * sizeof(*m->texts));
        t->seats[i].table = t;
        t->seats[i].model = m;
        t->seats[i].grant = &g->items[at];
        t->model.seats_n++;
        load_enqueue(load, &t->seats[i]);
    }
    load->next_grant = at;
    t->live = t->fresh = true;
}

void table_on_dead(struct load *load, struct load_seat *s)
{
    struct load_table *t = s->table;
    if (t->model.phase == MODEL_OVER) {
        for (int i = 0; i < t->model.seats_n; i++) {
            if (t->seats[i].ws.state == WSC_OPEN || t->seats[i].ws.state == WSC_CONNECTING)
                return; /* the last one to leave takes the next table */
        }
        if (t->live)
            table_take_grants(load, t);
        return;
    }
    /* The frames after the reconnect show the result of a move in flight. */
    t->in_flight = false;
    t->tried = ENG_NO_CARD;
    if (load->opt.mode == LOAD_CRASH || load->opt.mode == LOAD_STORM)
        load_enqueue(load, s);
}

/* Called every 50 ms; handles moves that are stuck, pauses that have ended, and games that are over. */
void table_sweep(struct load *load, struct load_table *t)
{
    if (!t->live)
        return;
    if (t->in_flight && load->now_ns - t->sent_ns > (int64_t)LOAD_STUCK_MS * 1000000) {
        load->result.stuck++;
        t->in_flight = false;
    }
    if (t->model.phase == MODEL_OVER && load->now_ns - t->last_event_ns > RETRY_NS * 10LL) {
        /* All frames were received, including the settlement, so continue with the next table. */
        if (t->model.whole) {
            load->result.games++;
            t->model.whole = false;
        }
        for (int i = 0; i < t->model.seats_n; i++)
            load_disconnect(load, &t->seats[i], false);
        table_take_grants(load, t);
        return;
    }
    table_try_move(load, t);
}
