/* `rummyd simulate --record FILE`: writes the first game as records, hand by hand. */
#include "server/cli/simulate_record.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/game.h"
#include "engine/record/record.h"
#include "server/cli/cmd.h"

char *srv_simulate_hand_text(struct srv_simulate *sim, uint64_t number, const struct eng_game *before,
                             const struct eng_game *after, size_t *len)
{
    static const char *const names[ENG_SEAT_MAX] = {"Ana", "Boris", "Ceca", "Dule", "Ema", "Filip"};
    struct eng_record *r = calloc(1, sizeof *r);
    struct eng_step *steps = calloc((size_t)sim->played_n + 1, sizeof *steps);
    size_t most = eng_record_text_max(sim->played_n);
    char *text = malloc(most);
    struct eng_verdict verdict;
    uint8_t seed[32];

    if (!r || !steps || !text)
        BUG("no memory for a record");
    struct buf b = buf_on(text, most);
    eng_record_init(r, &after->params, after->players, steps, sim->played_n + 1);
    srv_simulate_seed(sim, number, before->hand_no, seed);
    eng_record_set_seed(r, seed);
    r->table_id = number;
    if (before->hand_no > 0)
        eng_record_follow(r, before, &sim->between);
    for (int seat = 0; seat < after->players; seat++) {
        r->seats[seat].bot = (uint8_t)sim->levels[seat];
        memcpy(r->seats[seat].name, names[seat], strlen(names[seat]));
    }
    if (!eng_record_play(r, sim->played, sim->played_n, &verdict))
        BUG("a finished game cannot be recorded");
    eng_record_print(r, &b);
    free(steps);
    free(r);
    *len = b.len;
    return text;
}

static void write_hand(struct srv_simulate *sim, uint64_t number, const struct eng_game *before,
                       const struct eng_game *after)
{
    struct srv_simulate_recorder *to = sim->arg;
    size_t len;

    if (number > 0)
        return;
    char *text = srv_simulate_hand_text(sim, number, before, after, &len);
    if (after->hand_no > 1)
        (void)fputc('\n', to->file);
    (void)fwrite(text, 1, len, to->file);
    free(text);
}

int srv_simulate_recorder_open(struct srv_simulate_recorder *to, struct srv_simulate *sim, const char *path)
{
    to->file = fopen(path, "we");
    to->path = path;
    if (!to->file)
        return srv_fail(SRV_EXIT_FAILED, "--record: %s: %s", path, strerror(errno));
    sim->played = calloc(ENG_RECORD_STEPS_MAX, sizeof *sim->played);
    if (!sim->played)
        BUG("no memory for a record");
    sim->played_max = ENG_RECORD_STEPS_MAX;
    sim->hand_over = write_hand;
    sim->arg = to;
    return SRV_EXIT_OK;
}

int srv_simulate_recorder_close(struct srv_simulate_recorder *to, struct srv_simulate *sim)
{
    bool bad = ferror(to->file) != 0;

    bad |= fclose(to->file) != 0;
    free(sim->played);
    sim->played = NULL;
    return bad ? srv_fail(SRV_EXIT_FAILED, "--record: %s: %s", to->path, strerror(errno)) : SRV_EXIT_OK;
}
