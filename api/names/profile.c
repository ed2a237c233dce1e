/* The player's own profile; see profile.h. */
#include "api/names/profile.h"

#include "api/core/rows.h"

void api_profile_write(struct buf *out, const PGresult *rows)
{
    api_row_id(out, rows, 0, "id");
    api_row_text(out, rows, 0, "nickname");
    api_row_text(out, rows, 0, "avatar");
    api_row_text(out, rows, 0, "kind");
    api_row_int(out, rows, 0, "level");
    api_row_text(out, rows, 0, "title");
    api_row_int(out, rows, 0, "clover_points");
    api_row_int(out, rows, 0, "level_points");
    api_row_int(out, rows, 0, "level_points_needed");
    json_key(out, "rating");
    json_open(out, '{');
    const char *rating = api_row_get(rows, 0, "rating");
    json_key(out, "value");
    json_raw(out, rating ? rating : "null");
    json_kv_num(out, "games", api_row_get_int(rows, 0, "rating_games"));
    json_close(out, '}');
    api_row_bool(out, rows, 0, "email_verified");
    api_row_bool(out, rows, 0, "rewards_withheld");
    api_row_text(out, rows, 0, "language");
    api_row_time(out, rows, 0, "nickname_changes_at");
    api_row_time(out, rows, 0, "created_at");
    api_row_time(out, rows, 0, "deletion_due_at");
}
