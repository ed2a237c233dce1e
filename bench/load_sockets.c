/* The queue of seats waiting to connect, and the counts of sockets; see load_sockets.h. */
#include "bench/load_sockets.h"

#include "base/bug.h"

struct load *load_current;

void load_enqueue(struct load *load, struct load_seat *s)
{
    if (s->queued)
        return;
    ASSERT(load->line_n < load->line_max);
    load->line[(load->line_head + load->line_n++) % load->line_max] = s;
    s->queued = true;
}

void load_uncount(struct load *load, struct load_seat *s)
{
    if (s->counted && s->opened)
        load->open--;
    else if (s->counted)
        load->connecting--;
    s->counted = s->opened = false;
}

void load_disconnect(struct load *load, struct load_seat *s, bool cut)
{
    load_uncount(load, s);
    wsc_close(&s->ws, cut);
}
