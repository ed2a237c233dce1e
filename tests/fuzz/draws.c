/* Any text as the entrants of a round and their tables so far: either it is rejected, or the draw seats
 * each entrant once and counts the repeats correctly, compared with a second count. The first byte is the
 * number of entrants, the second the seats per table; one line each for the entrants and for the tables
 * follows. */
#include "base/bug.h"
#include "server/draw/read.h"

#include <stdlib.h>
#include <string.h>

enum { TEXT_MAX = 2048, ENTRANTS_MAX = 31 };

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

static int times_met(const struct srv_draw *draw, int32_t a, int32_t b)
{
    int n = 0;
    for (int32_t m = draw->met_at[a]; m < draw->met_at[a + 1]; m++)
        n += draw->met[m] == b;
    return n;
}

static void is_sound(const struct srv_draw *draw)
{
    uint32_t ranked = 0;
    ASSERT(draw->met_at[0] == 0);
    for (int32_t a = 0; a < draw->n; a++) {
        ranked |= 1u << draw->low[a];
        ASSERT(draw->byes[a] >= 0 && (a == 0 || draw->score[a] <= draw->score[a - 1]));
        ASSERT(draw->met_at[a] <= draw->met_at[a + 1] && times_met(draw, a, a) == 0);
        for (int32_t m = draw->met_at[a]; m < draw->met_at[a + 1]; m++)
            ASSERT(draw->met[m] >= 0 && draw->met[m] < draw->n &&
                   (m == draw->met_at[a] || draw->met[m - 1] <= draw->met[m]));
        for (int32_t b = 0; b < a; b++)
            ASSERT(draw->entry[a] != draw->entry[b] && times_met(draw, a, b) == times_met(draw, b, a));
    }
    ASSERT(ranked == (1u << draw->n) - 1);
}

static int32_t place_of(const struct srv_draw *draw, int32_t entry)
{
    for (int32_t a = 0; a < draw->n; a++)
        if (draw->entry[a] == entry)
            return a;
    BUG("an unknown entry");
}

/* Every entrant has exactly one seat. */
static void seats_all(const struct srv_draw *draw)
{
    int32_t order[ENTRANTS_MAX];
    struct srv_drawn drawn = {.order = order};
    uint32_t seated = 0;
    ASSERT(srv_draw_make(draw, &drawn) && drawn.repeats >= 0);
    for (int i = 0; i < draw->n; i++)
        seated |= 1u << place_of(draw, order[i]);
    ASSERT(seated == (1u << draw->n) - 1);
    int64_t repeats = 0;
    if (draw->seats == 2)
        for (int i = 0; i + 1 < draw->n; i += 2)
            repeats += times_met(draw, place_of(draw, order[i]), place_of(draw, order[i + 1]));
    ASSERT(draw->seats != 2 || repeats == drawn.repeats);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    char text[TEXT_MAX + 1];
    if (size < 2)
        return 0;
    const size_t len = size - 2 < TEXT_MAX ? size - 2 : TEXT_MAX;
    memcpy(text, data + 2, len);
    text[len] = '\0';
    text[strcspn(text, "\r")] = '\0';
    char *tables = strchr(text, '\n');
    if (tables)
        *tables++ = '\0';
    struct srv_draw draw;
    if (!srv_draw_read(&draw, data[0] % (ENTRANTS_MAX + 1), data[1] % 8, text, tables))
        return 0;
    is_sound(&draw);
    seats_all(&draw);
    srv_draw_drop(&draw);
    return 0;
}
