/* See frame.h. */
#include "tests/wire/frame.h"

#include <criterion/criterion.h>
#include <string.h>

enum { GUARD = 32, SMALL_STEPS = 64 };

static void write_whole(struct buf *out, void (*write)(struct buf *, const void *), const void *what,
                        bool members)
{
    if (members)
        json_open(out, '{');
    write(out, what);
    if (members)
        json_close(out, '}');
}

/* Writes to a buffer of cap bytes, followed by bytes that must remain unchanged. */
static void write_small(void (*write)(struct buf *, const void *), const void *what, bool members, size_t cap)
{
    static char memory[FRAME_MAX + GUARD];
    memset(memory + cap, 0x55, GUARD);
    struct buf out = buf_on(memory, cap);
    write_whole(&out, write, what, members);
    cr_assert(out.full && out.len <= cap, "%zu bytes", cap);
    for (size_t i = 0; i < GUARD; i++)
        cr_assert_eq(memory[cap + i], 0x55, "byte %zu behind a buffer of %zu", i, cap);
}

const char *frame_of(void (*write)(struct buf *out, const void *what), const void *what, bool members)
{
    static char memory[FRAME_MAX];
    struct buf out = buf_on(memory, sizeof(memory) - 1);
    write_whole(&out, write, what, members);
    cr_assert_not(out.full);
    memory[out.len] = '\0';
    size_t step = out.len / SMALL_STEPS + 1;
    for (size_t cap = out.len - 1; cap < out.len; cap -= step)
        write_small(write, what, members, cap);
    json_error_t error;
    json_t *root = json_loadb(memory, out.len, JSON_REJECT_DUPLICATES | JSON_DECODE_ANY, &error);
    cr_assert_not_null(root, "%s: %s", error.text, memory);
    json_decref(root);
    return memory;
}

json_t *frame_read(void (*write)(struct buf *out, const void *what), const void *what, bool members)
{
    return json_loads(frame_of(write, what, members), 0, NULL);
}
