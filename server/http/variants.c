/* See variants.h. What a variant is stands in the engine's rows; here are its names for people. */
#include "server/http/variants.h"

#include <stdio.h>
#include <string.h>

#include "base/bug.h"
#include "engine/core/params.h"

static const struct words {
    const char *id, *name, *text;
} words[] = {
    {"rummy51", "Rummy 51", "Open with 51 points from the second round on; one hand, the fewest points win."},
    {"straight", "Straight rummy",
     "One pack, no jokers; the winner takes what the others hold, up to the target."},
    {"treff", "Treff",
     "Two packs and three jokers, melds from the first turn; three rounds, a bonus for a Rummy."},
    {"rummy40", "Rummy 40",
     "Open with 40 points from the first turn on; three rounds, the fewest points win."},
    {"rami", "Rami", "Open with 51 points from the second turn on; three rounds, the fewest points win."},
    {"points", "Points rummy", "Indian rummy, one deal: the winner collects the others' points."},
    {"pool101", "Pool 101", "Indian rummy: who reaches 101 points is out, the last one in wins."},
    {"pool201", "Pool 201", "Indian rummy: who reaches 201 points is out, the last one in wins."},
    {"deals2", "Best of 2 deals", "Indian rummy over two deals: the most chips win."},
    {"deals3", "Best of 3 deals", "Indian rummy over three deals: the most chips win."},
};

/* ---- The list ---- */
static void put_option(struct buf *out, const struct eng_option *option)
{
    json_open(out, '{');
    json_kv_text(out, "name", option->name);
    json_kv_num(out, "least", option->least);
    json_kv_num(out, "greatest", option->greatest);
    json_key(out, "default");
    if (option->words[0])
        json_text(out, option->words[option->value - option->least]);
    else
        json_num(out, option->value);
    json_key(out, "values");
    if (option->words[0]) {
        json_open(out, '[');
        for (int i = 0; i <= option->greatest - option->least; i++)
            json_text(out, option->words[i]);
        json_close(out, ']');
    } else {
        json_nil(out);
    }
    json_close(out, '}');
}

/* The words for a variant; those of a new one are missing. */
static const struct words *words_for(const char *id)
{
    for (size_t i = 0; i < ARRAY_LEN(words); i++)
        if (strcmp(words[i].id, id) == 0)
            return &words[i];
    return NULL;
}

const char *srv_variant_name(const char *id)
{
    const struct words *found = words_for(id);
    return found ? found->name : id;
}

static void put_variant(struct buf *out, const struct eng_params *row)
{
    const struct words *found = words_for(row->variant);
    json_open(out, '{');
    json_kv_text(out, "id", row->variant);
    json_kv_text(out, "name", srv_variant_name(row->variant));
    json_kv_text(out, "text", found ? found->text : "");
    json_kv_num(out, "seats_min", row->players_min);
    json_kv_num(out, "seats_max", row->players_max);
    json_key(out, "options");
    json_open(out, '[');
    struct eng_option option;
    for (int i = 0; eng_params_option(row, i, &option); i++)
        put_option(out, &option);
    json_close(out, ']');
    json_close(out, '}');
}

void srv_variants_write(struct buf *out)
{
    const struct eng_params *row;
    json_open(out, '[');
    for (size_t i = 0; (row = eng_params_at(i)) != NULL; i++)
        put_variant(out, row);
    json_close(out, ']');
}

/* ---- Parameters of a table ---- */
/* What the options of the row are, for who named another. */
static void say_options(struct buf *detail, const struct eng_params *row)
{
    struct eng_option option;
    buf_str(detail, " Options:");
    for (int i = 0; eng_params_option(row, i, &option); i++) {
        buf_fmt(detail, "%s %s ", i > 0 ? "," : "", option.name);
        if (option.words[0])
            buf_fmt(detail, "%s or %s", option.words[0], option.words[1]);
        else
            buf_fmt(detail, "%d to %d", option.least, option.greatest);
    }
    buf_str(detail, ".");
}

static void add_fault(struct api_faults *faults, const char *parent, const char *name,
                      enum api_fault_code code, int min, int max)
{
    struct api_fault fault = {.code = code, .min = min, .max = max};
    (void)snprintf(fault.parent, sizeof(fault.parent), "%s", parent);
    api_fault_name(&fault, name, strlen(name));
    api_faults_add(faults, &fault);
}

/* Sets the options; those that are none, or have not this value, are faults. */
static void set_options(struct eng_params *set, const struct api_option *options, size_t n,
                        struct api_faults *faults, struct buf *detail)
{
    const struct eng_params *row = eng_params_find(set->variant);
    for (size_t i = 0; i < n; i++) {
        if (eng_params_set(set, options[i].name, options[i].value))
            continue;
        if (faults->n == 0) {
            buf_fmt(detail, "`%.30s` is no option of %s, or has not this value.", options[i].name,
                    row->variant);
            struct buf whole = *detail;
            say_options(&whole, row);
            if (!whole.full)
                *detail = whole;
        }
        add_fault(faults, "options", options[i].name, API_FAULT_BAD_OPTION, 0, 0);
    }
}

void srv_table_params(const char *variant, int seats, const struct api_option *options, size_t n,
                      struct buf *params, struct api_faults *faults, struct buf *detail)
{
    const struct eng_params *row = eng_params_find(variant);
    if (!row) {
        buf_fmt(detail, "There is no variant `%.32s`.", variant);
        add_fault(faults, "", "variant", API_FAULT_NO_SUCH_VARIANT, 0, 0);
        return;
    }
    struct eng_params set = *row;
    set_options(&set, options, n, faults, detail);
    if (seats < row->players_min || seats > row->players_max || !eng_params_ok(&set, seats)) {
        if (faults->n == 0)
            buf_fmt(detail, "The member `seats` must be between %d and %d in %s.", row->players_min,
                    row->players_max, row->variant);
        add_fault(faults, "", "seats",
                  seats < row->players_min   ? API_FAULT_TOO_SMALL
                  : seats > row->players_max ? API_FAULT_TOO_LARGE
                                             : API_FAULT_OUT_OF_RANGE,
                  row->players_min, row->players_max);
    }
    for (int field = 0; field < ENG_PARAM_COUNT; field++)
        if (eng_param_get(&set, field) != eng_param_get(row, field))
            buf_fmt(params, "%s%s=%d", params->len > 0 ? " " : "", eng_param_fields[field].name,
                    eng_param_get(&set, field));
}
