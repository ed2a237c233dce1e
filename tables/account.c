/* What was played for a person who was not there; see account.h. */
#include "tables/account.h"

#include <string.h>

#include "base/bug.h"

static void note_thrown(struct tab_account *account, uint8_t card)
{
    if (account->thrown_n == TAB_ACCOUNT_THROWN_MAX) {
        memmove(account->thrown, account->thrown + 1, TAB_ACCOUNT_THROWN_MAX - 1);
        account->thrown_n--;
    }
    account->thrown[account->thrown_n++] = card;
}

/* An event of a move in his name. */
static void note_played(struct tab_account *account, const struct eng_event *event)
{
    switch (event->type) {
    case ENG_EV_MELDED:
        account->melds++;
        break;
    case ENG_EV_TAKEN_BACK:
        if (account->melds > 0)
            account->melds--;
        break;
    case ENG_EV_LAID_OFF:
        account->lay_offs++;
        break;
    case ENG_EV_OPENED:
        account->opening = (int16_t)event->opened.sum;
        break;
    case ENG_EV_TIMED_OUT:
        account->time_outs++;
        break;
    case ENG_EV_DROPPED:
        account->drop_points = event->dropped.points;
        break;
    case ENG_EV_DISCARDED:
        for (int i = 0; i < event->n; i++)
            note_thrown(account, event->cards[i]);
        break;
    default:
        break;
    }
}

static bool ends_turn(const struct eng_move *move)
{
    return move->type == ENG_TIME_OUT || move->type == ENG_DISCARD || move->type == ENG_DECLARE ||
           move->type == ENG_DROP;
}

/* Coming and going are no play, and the end of the time to group is nobody's. */
static bool is_play(uint8_t type)
{
    return type != ENG_RETURN && type != ENG_LEAVE && type != ENG_CLOSE;
}

void tab_account_note(struct tab_account *account, uint8_t seat, const struct eng_move *move, bool own,
                      uint32_t v, const struct eng_outcome *outcome)
{
    ASSERT(outcome->code == ENG_OK && v > 0);
    bool for_him = move->seat == seat && is_play(move->type) && !own;
    if (move->seat == seat && is_play(move->type) && own)
        *account = (struct tab_account){0};
    if (for_him) {
        if (account->from_v == 0)
            account->from_v = v;
        account->to_v = v + outcome->events_n - 1u;
        if (ends_turn(move))
            account->turns++;
    }
    for (int i = 0; i < outcome->events_n && account->from_v > 0; i++) {
        const struct eng_event *event = &outcome->events[i];
        if (event->seat != seat)
            continue;
        if (for_him)
            note_played(account, event);
        if (event->type == ENG_EV_SCORED) {
            account->hands++;
            account->points += event->scored.points;
        }
    }
}
