/* Threads that search for bots: their results, the limit of their queue, and stopping. */
#include <criterion/criterion.h>
#include <semaphore.h>
#include <string.h>

#include "engine/bots/master.h"
#include "server/hub/thinkers.h"
#include "tests/engine/play.h"

static sem_t woken;

static void wake(void *arg)
{
    (void)sem_post(arg);
}

/* A game's first move, searched for the seat to move. */
static struct tab_thought thought_of(uint64_t number)
{
    struct tab_thought thought = {.table_id = (int64_t)number, .v = (uint32_t)number + 1, .dice = number};
    struct eng_game game;
    struct eng_outcome out;
    thought.params = *eng_params_at(number % 10);
    play_deal(&game, &thought.params, 2, number, &out);
    eng_view(&game, eng_seat_to_move(&game), &thought.view);
    memset(&game, 0, sizeof(game)); /* its parameters no longer exist */
    return thought;
}

static struct eng_move move_of(const struct tab_thought *thought)
{
    static struct eng_master master;
    struct tab_thought own = *thought;
    own.view.params = &own.params;
    eng_master_move(&own.view, &master, &own.dice, &own.move);
    return own.move;
}

Test(thinkers, return_the_move_of_a_master)
{
    enum { ASKED = 20 };
    struct tab_thought answer;
    int answers = 0;
    (void)sem_init(&woken, 0, 0);
    struct srv_thinkers *thinkers = srv_thinkers_new(2, wake, &woken);
    cr_assert_not_null(thinkers);
    for (uint64_t i = 0; i < ASKED; i++) {
        struct tab_thought thought = thought_of(i);
        cr_assert(srv_thinkers_request(thinkers, &thought));
    }
    while (answers < ASKED) {
        (void)sem_wait(&woken);
        cr_assert(srv_thinkers_take(thinkers, &answer), "woken once for each");
        struct tab_thought thought = thought_of((uint64_t)answer.table_id);
        struct eng_move move = move_of(&thought);
        cr_assert_arr_eq(&answer.move, &move, sizeof(move));
        cr_assert(answer.v == thought.v && answer.dice == thought.dice);
        answers++;
    }
    cr_assert_not(srv_thinkers_take(thinkers, &answer));
    srv_thinkers_free(thinkers);
}

/* A request occupies a slot until its answer is taken, whether it is done or not. */
Test(thinkers, accept_a_limited_number_of_requests)
{
    struct tab_thought thought = thought_of(1), answer;
    (void)sem_init(&woken, 0, 0);
    struct srv_thinkers *thinkers = srv_thinkers_new(1, wake, &woken);
    cr_assert_not_null(thinkers);
    for (int i = 0; i < HUB_THOUGHTS_MAX; i++)
        cr_assert(srv_thinkers_request(thinkers, &thought));
    cr_assert_not(srv_thinkers_request(thinkers, &thought));
    (void)sem_wait(&woken);
    cr_assert(srv_thinkers_take(thinkers, &answer));
    cr_assert(srv_thinkers_request(thinkers, &thought));
    cr_assert_not(srv_thinkers_request(thinkers, &thought));
    srv_thinkers_free(thinkers); /* waiting requests are dropped */
}

Test(thinkers, without_threads_refuse_all_requests)
{
    struct tab_thought thought = thought_of(1), answer;
    struct srv_thinkers *thinkers = srv_thinkers_new(0, wake, NULL);
    cr_assert_not_null(thinkers);
    cr_assert_not(srv_thinkers_request(thinkers, &thought));
    cr_assert_not(srv_thinkers_take(thinkers, &answer));
    srv_thinkers_free(thinkers);
    srv_thinkers_free(NULL);
}
