/* Defects planted in the program to prove that the checks find them. Defects in the program's functions are
 * here; the linker redirects the callers of these functions (--wrap, see the Makefile). Defects in SQL
 * functions are in statements.c. */
#include <string.h>

#include "server/nodes/lease.h"
#include "server/nodes/peers.h"
#include "tables/table.h"
#include "tests/simulate/sim.h"

enum sim_plant sim_planted;

static const struct {
    const char *name, *text;
} plants[SIM_PLANTS_N] = {
    [SIM_PLANT_NONE] = {"none", "nothing is wrong"},
#define PLANT(id, name, text) [SIM_PLANT_##id] = {name, text},
#include "tests/simulate/plants.def"
#undef PLANT
};

const char *sim_plant_name(enum sim_plant plant)
{
    return plants[plant].name;
}

const char *sim_plant_text(enum sim_plant plant)
{
    return plants[plant].text;
}

void __wrap_tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
void __real_tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since);
void __wrap_tab_join(struct tab_table *table, uint8_t seat, tab_socket *socket, int64_t since)
{
    bool off = sim_planted == SIM_PLANT_RESUME_OFF_BY_ONE && since > 0 && since < table->sent_v;
    __real_tab_join(table, seat, socket, off ? since + 1 : since);
}

bool __wrap_srv_lease_held(const struct srv_lease *lease);
bool __real_srv_lease_held(const struct srv_lease *lease);
bool __wrap_srv_lease_held(const struct srv_lease *lease)
{
    return sim_planted == SIM_PLANT_LEASE_FOR_EVER || __real_srv_lease_held(lease);
}

bool __wrap_srv_peers_gone(const struct srv_peers *peers, int i);
bool __real_srv_peers_gone(const struct srv_peers *peers, int i);
bool __wrap_srv_peers_gone(const struct srv_peers *peers, int i)
{
    enum { SOON_MS = 1000 };
    if (sim_planted == SIM_PLANT_GONE_TOO_SOON)
        return peers->read_ms - peers->seen[i].since_ms >= SOON_MS;
    return __real_srv_peers_gone(peers, i);
}

uint64_t __wrap_eng_bot_seed(const uint8_t server_seed[32], uint64_t table_id, uint32_t hand_no, uint32_t v);
uint64_t __real_eng_bot_seed(const uint8_t server_seed[32], uint64_t table_id, uint32_t hand_no, uint32_t v);
uint64_t __wrap_eng_bot_seed(const uint8_t server_seed[32], uint64_t table_id, uint32_t hand_no, uint32_t v)
{
    bool other = sim_planted == SIM_PLANT_DICE_OF_THE_NODE && sim_node_now() != sim_node(0);
    return __real_eng_bot_seed(server_seed, table_id, hand_no, other ? ~v : v);
}

void __wrap_eng_event_view(const struct eng_event *event, uint8_t viewer, struct eng_event *seen);
void __real_eng_event_view(const struct eng_event *event, uint8_t viewer, struct eng_event *seen);
void __wrap_eng_event_view(const struct eng_event *event, uint8_t viewer, struct eng_event *seen)
{
    bool drawn = sim_planted == SIM_PLANT_CARDS_SHOWN && event->type == ENG_EV_DREW;
    bool grouped = sim_planted == SIM_PLANT_GROUPS_SHOWN && event->type == ENG_EV_GROUPED;
    __real_eng_event_view(event, viewer, seen);
    if (!drawn && !grouped)
        return;
    *seen = *event;
    seen->private_to = ENG_NO_SEAT; /* otherwise the program itself detects it */
}

struct srv_hub;
void __wrap_srv_hub_check_outage(struct srv_hub *hub);
void __real_srv_hub_check_outage(struct srv_hub *hub);
void __wrap_srv_hub_check_outage(struct srv_hub *hub)
{
    if (sim_planted != SIM_PLANT_OUTAGE_UNSEEN)
        __real_srv_hub_check_outage(hub);
}
