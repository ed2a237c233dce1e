/* /v1/puzzles: turns of finished games with one right choice (docs/puzzles.md). REST loops. */
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "base/bug.h"

static const struct db_stmt q_puzzle_next = {"q_puzzle_next",
                                             "SELECT code, body FROM q_puzzle_next($1, $2, $3, $4)", 4};

static enum api_next begin_next(struct api_request *request)
{
    static const char *const themes[] = {"discard", "draw", "open", "declare", NULL};
    (void)api_bind_player(request);
    api_check_variant(request);
    db_args_text(&request->args, request->variant);
    api_bind_choice(request, "theme", request->theme, themes);
    api_bind_word(request, "tag", request->tag);
    return request->code == API_OK ? API_QUERY : API_DONE;
}

API_OPERATION(getNextPuzzle) = {.stmt = &q_puzzle_next, .begin = begin_next, .reply = api_json_reply};
