/* Moves that take milliseconds to find; see thoughts.h. Hub thread. */
#include "tables/thoughts.h"

#include "base/bug.h"
#include "tables/state.h"

static void count(struct tab_registry *registry, enum tab_thought_end end)
{
    registry->counts.thoughts[end]++;
}

/* Whether there is a pending search for the current version of the game. */
static bool is_pending(const struct tab_table *table)
{
    return table->thinking.v == table->events.last_v;
}

uint64_t tab_thoughts_dice(const struct tab_table *table)
{
    ASSERT(table->hand_no == table->dealt_no); /* its seed belongs to the running hand */
    return eng_bot_seed(table->server_seed, tab_deal_number(&table->deal, table->id), table->hand_no,
                        table->events.last_v);
}

void tab_thoughts_request(struct tab_table *table, uint8_t seat)
{
    const struct tab_ports *ports = &table->registry->ports;
    struct tab_thought thought;
    ASSERT(table->bot_ms != TAB_NEVER && !table->writing);
    if (is_pending(table))
        return;
    thought.table_id = table->id;
    thought.v = table->events.last_v;
    thought.dice = tab_thoughts_dice(table);
    thought.params = table->params;
    eng_view(&table->game, seat, &thought.view);
    thought.move = (struct eng_move){.meld = ENG_NO_MELD};
    ASSERT(thought.view.viewer == seat &&
           thought.view.to_move == seat); /* of the game, the bot gets only this view */
    table->thinking = (struct tab_thinking){.v = thought.v};
    if (ports->think(ports->ctx, &thought))
        return;
    table->thinking.v = 0;
    count(table->registry, TAB_THOUGHT_REFUSED);
}

/* Waiting must not make the turn's clock run out, because clients would see that. */
int64_t tab_thoughts_due_ms(const struct tab_table *table)
{
    int64_t last = table->bot_ms + TAB_THOUGHT_WAIT_MAX_MS, turn = tab_turn_ends_ms(table);
    ASSERT(table->bot_ms != TAB_NEVER);
    if (!is_pending(table) || table->thinking.answered)
        return table->bot_ms;
    if (last <= turn)
        return last;
    return turn > table->bot_ms ? turn : table->bot_ms;
}

bool tab_thoughts_take(struct tab_table *table, struct eng_move *move)
{
    bool answered = is_pending(table) && table->thinking.answered;
    if (answered)
        *move = table->thinking.move;
    if (is_pending(table))
        count(table->registry, answered ? TAB_THOUGHT_PLAYED : TAB_THOUGHT_LATE);
    table->thinking.v = 0;
    return answered;
}

bool tab_thoughts_put(struct tab_table *table, const struct tab_thought *thought)
{
    ASSERT(thought->table_id == table->id && thought->v > 0);
    if (!is_pending(table) || table->thinking.v != thought->v)
        return false;
    table->thinking.answered = true;
    table->thinking.move = thought->move;
    return true;
}
