/* /v1/admin/packs, /achievements, and the list of rooms: data that an operator changes without a build. A
 * change lists only what differs; running games keep what they began with. REST loops. */
#include "api/admin/admin.h"
#include "api/core/json_reply.h"
#include "api/core/operations.h"
#include "base/bug.h"

#include <string.h>

/* --- lists --- */

const struct db_stmt api_admin_data_stmt = {"do_admin_data", "SELECT code, body FROM do_admin_data($1, $2)",
                                            2};

static enum api_next bind_list(struct api_request *request, const char *kind)
{
    (void)api_admin_bind_key(request);
    db_args_text(&request->args, kind);
    return API_QUERY;
}

static enum api_next bind_rooms(struct api_request *request)
{
    return bind_list(request, "rooms");
}

static enum api_next bind_packs(struct api_request *request)
{
    return bind_list(request, "packs");
}

static enum api_next bind_achievements(struct api_request *request)
{
    return bind_list(request, "achievements");
}

/* --- changes --- */

static const struct db_stmt do_pack = {"do_admin_pack",
                                       "SELECT code, body FROM do_admin_pack($1, $2, $3, $4, $5, $6, $7)", 7};

static enum api_next bind_pack(struct api_request *request)
{
    return api_admin_bind_change(request, API_NO_SUCH_PACK);
}

static const struct db_stmt do_achievement = {
    "do_admin_achievement", "SELECT code, body FROM do_admin_achievement($1, $2, $3, $4)", 4};

static enum api_next bind_achievement(struct api_request *request)
{
    return api_admin_bind_change(request, API_NO_SUCH_ACHIEVEMENT);
}

API_OPERATION(adminListRooms) = {
    .stmt = &api_admin_data_stmt, .writes = true, .begin = bind_rooms, .reply = api_json_reply};
API_OPERATION(adminListPacks) = {
    .stmt = &api_admin_data_stmt, .writes = true, .begin = bind_packs, .reply = api_json_reply};
API_OPERATION(changePack) = {.stmt = &do_pack, .writes = true, .begin = bind_pack, .reply = api_json_reply};
API_OPERATION(adminListAchievements) = {
    .stmt = &api_admin_data_stmt, .writes = true, .begin = bind_achievements, .reply = api_json_reply};
API_OPERATION(changeAchievement) = {
    .stmt = &do_achievement, .writes = true, .begin = bind_achievement, .reply = api_json_reply};
