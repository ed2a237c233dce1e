/* Neglected work, shown by /readyz: jobs that a scheduler should have run by now, and lost tables that no
 * operator has ended. The first REST loop sets it; all loops read it. */
#ifndef RUMMYD_API_OVERDUE_H
#define RUMMYD_API_OVERDUE_H

#include "base/buf.h"

struct api_overdue;
struct api_overdue *api_overdue_new(void); /* NULL: out of memory */
void api_overdue_free(struct api_overdue *overdue);

/* names: a JSON array of job names; dropped if it does not fit. */
void api_overdue_set(struct api_overdue *overdue, const char *names, int64_t lost_tables);
/* Writes both as JSON members. */
void api_overdue_write(struct api_overdue *overdue, struct buf *out);

#endif
