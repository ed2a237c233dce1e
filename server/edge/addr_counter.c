/* An open-addressing hash table, at most half full; see addr_counter.h. Clients choose their addresses, so
 * the hash is keyed to prevent deliberate collisions. */
#include "server/edge/addr_counter.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

struct count {
    struct addr bucket;
    size_t n; /* 0: the slot is free */
};

struct srv_addr_counter {
    uint8_t key[crypto_shorthash_KEYBYTES];
    size_t mask, used_n, all_n, max;
    struct count counts[];
};

struct srv_addr_counter *srv_addr_counter_new(size_t max)
{
    size_t places = 4;
    ASSERT(max > 0);
    while (places < 2 * max)
        places *= 2;
    struct srv_addr_counter *counter = calloc(1, sizeof(*counter) + places * sizeof(counter->counts[0]));
    if (!counter)
        return NULL;
    crypto_shorthash_keygen(counter->key);
    counter->mask = places - 1;
    counter->max = max;
    return counter;
}

void srv_addr_counter_free(struct srv_addr_counter *counter)
{
    free(counter);
}

static size_t home_of(const struct srv_addr_counter *counter, const struct addr *bucket)
{
    uint8_t hash[crypto_shorthash_BYTES];
    size_t place;
    _Static_assert(sizeof(place) <= sizeof(hash), "a hash fills a place");
    (void)crypto_shorthash(hash, bucket->bytes, sizeof(bucket->bytes), counter->key);
    memcpy(&place, hash, sizeof(place));
    return place & counter->mask;
}

/* The slot that holds the bucket, or the free slot for it. */
static size_t place_of(const struct srv_addr_counter *counter, const struct addr *bucket)
{
    size_t place = home_of(counter, bucket);
    while (counter->counts[place].n > 0 &&
           memcmp(&counter->counts[place].bucket, bucket, sizeof(*bucket)) != 0)
        place = (place + 1) & counter->mask;
    return place;
}

size_t srv_addr_counter_count(const struct srv_addr_counter *counter, const struct addr *bucket)
{
    return counter->counts[place_of(counter, bucket)].n;
}

void srv_addr_counter_add(struct srv_addr_counter *counter, const struct addr *bucket)
{
    struct count *count = &counter->counts[place_of(counter, bucket)];
    ASSERT(counter->all_n < counter->max && counter->used_n <= counter->mask / 2 + 1);
    if (count->n == 0) {
        count->bucket = *bucket;
        counter->used_n++;
    }
    count->n++;
    counter->all_n++;
}

/* Moves later entries into the freed slot, because a search ends at the first free slot. */
static void close_gap(struct srv_addr_counter *counter, size_t gap)
{
    for (size_t at = (gap + 1) & counter->mask; counter->counts[at].n > 0; at = (at + 1) & counter->mask) {
        size_t home = home_of(counter, &counter->counts[at].bucket);
        if (((at - home) & counter->mask) < ((at - gap) & counter->mask))
            continue; /* moving it would place it before its home slot */
        counter->counts[gap] = counter->counts[at];
        counter->counts[at].n = 0;
        gap = at;
    }
}

void srv_addr_counter_remove(struct srv_addr_counter *counter, const struct addr *bucket)
{
    size_t place = place_of(counter, bucket);
    ASSERT(counter->counts[place].n > 0 && counter->all_n > 0);
    counter->all_n--;
    if (--counter->counts[place].n > 0)
        return;
    counter->used_n--;
    close_gap(counter, place);
}
