/* Ring of packed events; see events.h. Hub thread. */
#include "tables/events.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

/* Layout of an event: length; type; owner and who may see its cards, four bits each; number of cards, with
 * flags for what follows; number of the meld; number and sizes of the groups; the cards; the union of
 * numbers as in memory, without trailing zeros; the length again, for iterating backwards. */
enum {
    NUMBERS_AT = offsetof(struct eng_event, dealt),
    NUMBERS = sizeof(struct eng_event) - NUMBERS_AT,
    PACKED_MAX = 7 + ENG_GROUPS_MAX + ENG_EVENT_CARDS_MAX + NUMBERS,
    STEP = 256,
    NOBODY = 15,
    CARDS_BITS = 31,
    HAS_MELD = 32,
    HAS_GROUPS = 64,
};
static_assert((int)ENG_EVENT_CARDS_MAX <= (int)CARDS_BITS && (int)ENG_SEAT_MAX < (int)NOBODY, "they fit");

/* ---- One event ---- */
static uint8_t pack_seat(uint8_t seat)
{
    ASSERT(seat < ENG_SEAT_MAX || seat == ENG_NO_SEAT);
    return seat == ENG_NO_SEAT ? NOBODY : seat;
}

static uint8_t unpack_seat(unsigned bits)
{
    return bits == NOBODY ? ENG_NO_SEAT : (uint8_t)bits;
}

static uint8_t pack(uint8_t out[PACKED_MAX], const struct eng_event *event)
{
    const uint8_t *numbers = (const uint8_t *)event + NUMBERS_AT;
    size_t n = 4, numbers_n = NUMBERS;
    ASSERT(event->n <= ENG_EVENT_CARDS_MAX && event->groups <= ENG_GROUPS_MAX);
    out[1] = event->type;
    out[2] = (uint8_t)(pack_seat(event->seat) | pack_seat(event->private_to) << 4);
    out[3] = event->n;
    if (event->meld != ENG_NO_MELD) {
        out[3] |= HAS_MELD;
        out[n++] = event->meld;
    }
    if (event->groups > 0) {
        out[3] |= HAS_GROUPS;
        out[n++] = event->groups;
        memcpy(out + n, event->lens, ENG_GROUPS_MAX);
        n += ENG_GROUPS_MAX;
    }
    memcpy(out + n, event->cards, event->n);
    n += event->n;
    while (numbers_n > 0 && numbers[numbers_n - 1] == 0)
        numbers_n--;
    memcpy(out + n, numbers, numbers_n);
    n += numbers_n;
    out[0] = out[n] = (uint8_t)(n + 1);
    return out[0];
}

static void unpack(const uint8_t *in, struct eng_event *event)
{
    size_t n = 4, end = in[0] - 1u;
    memset(event, 0, sizeof(*event));
    event->type = in[1];
    event->seat = unpack_seat(in[2] & 15u);
    event->private_to = unpack_seat(in[2] >> 4);
    event->n = in[3] & CARDS_BITS;
    event->meld = in[3] & HAS_MELD ? in[n++] : (uint8_t)ENG_NO_MELD;
    if (in[3] & HAS_GROUPS) {
        event->groups = in[n++];
        memcpy(event->lens, in + n, ENG_GROUPS_MAX);
        n += ENG_GROUPS_MAX;
    }
    memcpy(event->cards, in + n, event->n);
    n += event->n;
    ASSERT(n <= end && end - n <= NUMBERS);
    memcpy((uint8_t *)event + NUMBERS_AT, in + n, end - n);
}

/* ---- The ring ---- */
static uint16_t wrapped(const struct tab_events *events, size_t place)
{
    return (uint16_t)(place < events->cap ? place : place - events->cap);
}

static void copy_out(const struct tab_events *events, size_t place, uint8_t *out, size_t n)
{
    size_t whole = place + n <= events->cap ? n : events->cap - place;
    memcpy(out, events->bytes + place, whole);
    memcpy(out + whole, events->bytes, n - whole);
}

static void drop_first(struct tab_events *events)
{
    uint8_t n = events->bytes[events->first];
    events->first = wrapped(events, (size_t)events->first + n);
    events->used = (uint16_t)(events->used - n);
    events->held--;
}

/* Grows by one step, with the oldest event first. The full size is reached after about ten steps. */
static void grow(struct tab_events *events)
{
    size_t cap = events->cap + (size_t)STEP;
    uint8_t *bytes = malloc(cap);
    if (!bytes)
        BUG("out of memory");
    if (events->used > 0)
        copy_out(events, events->first, bytes, events->used);
    free(events->bytes);
    events->bytes = bytes;
    events->cap = (uint16_t)cap;
    events->first = 0;
}

static void put(struct tab_events *events, const struct eng_event *event)
{
    uint8_t packed[PACKED_MAX];
    uint8_t n = pack(packed, event);
    if (events->held == TAB_EVENTS_MAX)
        drop_first(events);
    while (events->cap - events->used < n)
        grow(events);
    size_t place = wrapped(events, (size_t)events->first + events->used);
    size_t whole = place + n <= events->cap ? n : events->cap - place;
    memcpy(events->bytes + place, packed, whole);
    memcpy(events->bytes, packed + whole, n - whole);
    events->used = (uint16_t)(events->used + n);
    events->held++;
    events->last_v++;
}

void tab_events_put(struct tab_events *events, const struct eng_outcome *outcome)
{
    ASSERT(outcome->events_n <= ENG_EVENTS_MAX);
    for (int i = 0; i < outcome->events_n; i++)
        put(events, &outcome->events[i]);
}

bool tab_events_hold_since(const struct tab_events *events, int64_t v)
{
    return v >= 0 && v <= events->last_v && events->last_v - v <= events->held;
}

struct tab_events_at tab_events_since(const struct tab_events *events, uint32_t v)
{
    ASSERT(tab_events_hold_since(events, v));
    size_t back = 0;
    for (uint32_t at = events->last_v; at > v; at--) {
        size_t last = (size_t)events->first + events->used - back - 1;
        back += events->bytes[wrapped(events, last)];
    }
    return (struct tab_events_at){
        .events = events, .v = v, .place = wrapped(events, (size_t)events->first + events->used - back)};
}

bool tab_events_next(struct tab_events_at *at, struct eng_event *event)
{
    uint8_t packed[PACKED_MAX];
    if (at->v == at->events->last_v)
        return false;
    uint8_t n = at->events->bytes[at->place];
    ASSERT(n <= PACKED_MAX);
    copy_out(at->events, at->place, packed, n);
    unpack(packed, event);
    at->place = wrapped(at->events, (size_t)at->place + n);
    at->v++;
    return true;
}

void tab_events_free(struct tab_events *events)
{
    free(events->bytes);
    *events = (struct tab_events){0};
}
