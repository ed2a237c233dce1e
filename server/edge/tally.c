/* An open-addressing hash table, at most half full; see tally.h. Clients choose their addresses, so the hash
 * is keyed: no one can create long chains. */
#include "server/edge/tally.h"

#include <sodium.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"

struct count {
    struct addr bucket;
    size_t n; /* 0: the slot is free */
};

struct srv_tally {
    uint8_t key[crypto_shorthash_KEYBYTES];
    size_t mask, used_n, all_n, max;
    struct count counts[];
};

struct srv_tally *srv_tally_new(size_t max)
{
    size_t places = 4;
    ASSERT(max > 0);
    while (places < 2 * max)
        places *= 2;
    struct srv_tally *tally = calloc(1, sizeof(*tally) + places * sizeof(tally->counts[0]));
    if (!tally)
        return NULL;
    crypto_shorthash_keygen(tally->key);
    tally->mask = places - 1;
    tally->max = max;
    return tally;
}

void srv_tally_free(struct srv_tally *tally)
{
    free(tally);
}

static size_t home_of(const struct srv_tally *tally, const struct addr *bucket)
{
    uint8_t hash[crypto_shorthash_BYTES];
    size_t place;
    _Static_assert(sizeof(place) <= sizeof(hash), "a hash fills a place");
    (void)crypto_shorthash(hash, bucket->bytes, sizeof(bucket->bytes), tally->key);
    memcpy(&place, hash, sizeof(place));
    return place & tally->mask;
}

/* The slot with the bucket, or the free slot where it would be. */
static size_t place_of(const struct srv_tally *tally, const struct addr *bucket)
{
    size_t place = home_of(tally, bucket);
    while (tally->counts[place].n > 0 && memcmp(&tally->counts[place].bucket, bucket, sizeof(*bucket)) != 0)
        place = (place + 1) & tally->mask;
    return place;
}

size_t srv_tally_count(const struct srv_tally *tally, const struct addr *bucket)
{
    return tally->counts[place_of(tally, bucket)].n;
}

void srv_tally_add(struct srv_tally *tally, const struct addr *bucket)
{
    struct count *count = &tally->counts[place_of(tally, bucket)];
    ASSERT(tally->all_n < tally->max && tally->used_n <= tally->mask / 2 + 1);
    if (count->n == 0) {
        count->bucket = *bucket;
        tally->used_n++;
    }
    count->n++;
    tally->all_n++;
}

/* Moves later entries into the freed slot, so that no search ends too early. */
static void close_gap(struct srv_tally *tally, size_t gap)
{
    for (size_t at = (gap + 1) & tally->mask; tally->counts[at].n > 0; at = (at + 1) & tally->mask) {
        size_t home = home_of(tally, &tally->counts[at].bucket);
        if (((at - home) & tally->mask) < ((at - gap) & tally->mask))
            continue; /* it would move before its home slot */
        tally->counts[gap] = tally->counts[at];
        tally->counts[at].n = 0;
        gap = at;
    }
}

void srv_tally_remove(struct srv_tally *tally, const struct addr *bucket)
{
    size_t place = place_of(tally, bucket);
    ASSERT(tally->counts[place].n > 0 && tally->all_n > 0);
    tally->all_n--;
    if (--tally->counts[place].n > 0)
        return;
    tally->used_n--;
    close_gap(tally, place);
}
