/* A thread that runs a function periodically until it is stopped. The owning thread starts and stops it;
 * the function runs on the ticker's thread. */
#ifndef RUMMYD_BASE_TICKER_H
#define RUMMYD_BASE_TICKER_H

#include <stdbool.h>
#include <stdint.h>

struct ticker;
typedef void ticker_fn(struct ticker *ticker, void *arg);

/* Calls fn(ticker, arg) every_ms milliseconds after the start and after the end of each call. name: the
 * thread's name (at most 15 bytes). name and arg must outlive the ticker. NULL: the thread or memory could
 * not be allocated. */
struct ticker *ticker_start(const char *name, int64_t every_ms, ticker_fn *fn, void *arg);
/* The same with prompt scheduling, for short work. */
struct ticker *ticker_start_prompt(const char *name, int64_t every_ms, ticker_fn *fn, void *arg);
/* Whether the ticker is being stopped; long work must check this occasionally. Any thread. */
bool ticker_stopping(struct ticker *ticker);
/* Waits for the work to end, and frees it. NULL is fine. */
void ticker_stop(struct ticker *ticker);

#endif
