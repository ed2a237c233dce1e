/* Finds and fills templates; see template.h. Pure, any thread. */
#include "mail/template.h"

#include "base/bug.h"
#include "base/embed.h"
#include "base/free_text.h"
#include "base/text.h"
#include "mail/date.h"
#include "mail/plural.h"
#include "mail/span.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#define MAIL_LANGUAGE(name, tag)                                                                             \
    extern const struct embed_file mail_templates_##name[];                                                  \
    extern const size_t mail_templates_##name##_n;
#include "mail/languages.def"
#undef MAIL_LANGUAGE

static const struct {
    const char *tag;
    const struct embed_file *files;
    const size_t *n;
} languages[] = {
#define MAIL_LANGUAGE(name, tag) {tag, mail_templates_##name, &mail_templates_##name##_n},
#include "mail/languages.def"
#undef MAIL_LANGUAGE
};

static const struct {
    const char *tag, *as;
} near_ones[] = {
#define MAIL_NEAR(tag, as) {tag, as},
#include "mail/languages.def"
#undef MAIL_NEAR
};

static const char head[] = "Subject: ";

const char *mail_language_at(size_t i)
{
    return i < ARRAY_LEN(languages) ? languages[i].tag : NULL;
}

static bool is_tag(const char *tag, const char *text, size_t len)
{
    return strlen(tag) == len && strncasecmp(tag, text, len) == 0;
}

/* The template language for a language range, by its language and script or, if none matches, by its
 * language only. NULL: not supported. */
static const char *tag_for(const char *range)
{
    static const char ends[] = ";,- \t";
    size_t language = strcspn(range, ends);
    size_t script = range[language] == '-' ? strcspn(range + language + 1, ends) : 0;
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (is_tag(languages[i].tag, range, script == 4 ? language + 1 + script : language) ||
            is_tag(languages[i].tag, range, language))
            return languages[i].tag;
    for (size_t i = 0; i < ARRAY_LEN(near_ones); i++)
        if (is_tag(near_ones[i].tag, range, language))
            return near_ones[i].as;
    return NULL;
}

/* The weight of a range, "de-CH;q=0.8", in thousandths; 0: not acceptable. */
static int weight_of(const char *range, size_t len)
{
    const char *q = memchr(range, ';', len);
    if (!q)
        return 1000;
    q += 1 + strspn(q + 1, " \t");
    if (strncasecmp(q, "q=", 2) != 0)
        return 0;
    int weight = q[2] == '1' ? 1000 : 0, unit = 100;
    if (q[2] == '0' && q[3] == '.')
        for (const char *p = q + 4; *p >= '0' && *p <= '9' && unit > 0; p++, unit /= 10)
            weight += (*p - '0') * unit;
    return weight;
}

const char *mail_language_of(const char *accept_language)
{
    const char *best = languages[0].tag;
    int most = 0;
    for (const char *at = accept_language ? accept_language : ""; *at;) {
        at += strspn(at, " \t,");
        size_t len = strcspn(at, ",");
        const char *language = tag_for(at);
        int weight = language ? weight_of(at, len) : 0;
        if (weight > most) {
            most = weight;
            best = language;
        }
        at += len;
    }
    return best;
}

static const struct embed_file *find(const char *language, const char *name)
{
    char file[MAIL_NAME_MAX + 8];
    size_t at = 0;
    (void)snprintf(file, sizeof(file), "%.*s.txt", MAIL_NAME_MAX, name);
    for (size_t i = 0; i < ARRAY_LEN(languages); i++)
        if (strcmp(languages[i].tag, language) == 0)
            at = i;
    for (size_t i = 0; i < *languages[at].n; i++)
        if (strcmp(languages[at].files[i].name, file) == 0)
            return &languages[at].files[i];
    return NULL;
}

/* The value of a placeholder; NULL: it has none. `room` provides the memory for a number. */
static const char *value_of(const json_t *values, const char *site, const char *place, char room[24])
{
    const json_t *value = json_object_get(values, place);
    if (strcmp(place, "site") == 0)
        return site;
    if (json_is_integer(value)) {
        (void)snprintf(room, 24, "%lld", (long long)json_integer_value(value));
        return room;
    }
    const char *text = json_string_value(value);
    if (!text || json_string_length(value) != strlen(text) || strlen(text) > MAIL_VALUE_MAX)
        return NULL;
    for (const unsigned char *p = (const unsigned char *)text; *p; p++)
        if (*p < ' ' || *p == 0x7F)
            return NULL;
    return text;
}

/* The values to fill in. */
struct filling {
    const char *language, *site;
    const json_t *values;
};

/* Writes the value of "name:form" as a duration or a date. false: there is no value, or it is
 * unsuitable. */
static bool write_form(struct buf *out, const struct filling *with, const char *name, const char *form,
                       size_t len)
{
    char room[24];
    const char *value = value_of(with->values, with->site, name, room);
    if (len == 4 && memcmp(form, "span", 4) == 0) {
        const json_t *seconds = json_object_get(with->values, name);
        if (json_is_integer(seconds))
            mail_span_write(out, with->language, json_integer_value(seconds));
        return json_is_integer(seconds);
    }
    bool day = len == 4 && memcmp(form, "date", 4) == 0;
    ASSERT(day || (len == 4 && memcmp(form, "time", 4) == 0)); /* a test reads all templates */
    return value && mail_date_write(out, with->language, value, day ? MAIL_DATE_DAY : MAIL_DATE_TIME);
}

/* Isolates right-to-left names. Otherwise, a sentence that begins with such a name would be displayed as
 * right-to-left text. */
static void write_text(struct buf *out, const char *value)
{
    static const char isolate[] = "\xE2\x81\xA8", end[] = "\xE2\x81\xA9";
    bool apart = free_text_has_right_to_left(value, strlen(value));
    buf_str(out, apart ? isolate : "");
    buf_str(out, value);
    buf_str(out, apart ? end : "");
}

/* Writes the value of a placeholder of n bytes: "name", "name:date", "name:time", "name:span", or
 * "name|plural forms". false: there is no value; `name` is the placeholder. */
static bool fill_place(struct buf *out, const struct filling *with, const char *text, size_t n,
                       char name[MAIL_NAME_MAX])
{
    char room[24];
    size_t name_len = 0;
    while (name_len < n && text[name_len] != '|' && text[name_len] != ':')
        name_len++;
    const char *after = text + name_len + 1;
    (void)snprintf(name, MAIL_NAME_MAX, "%.*s", (int)(name_len < MAIL_NAME_MAX ? name_len : 0), text);
    if (name_len < n && text[name_len] == '|') {
        const json_t *number = json_object_get(with->values, name);
        return json_is_integer(number) &&
               mail_plural_write(out, with->language, after, n - name_len - 1, json_integer_value(number));
    }
    if (name_len < n)
        return write_form(out, with, name, after, n - name_len - 1);
    const char *value = value_of(with->values, with->site, name, room);
    if (value)
        write_text(out, value);
    return value != NULL;
}

/* Copies text[0..len) with its placeholders filled in. false: a placeholder, which `why` names, has no
 * value. */
static bool fill(struct buf *out, const struct filling *with, const char *text, size_t len,
                 char why[MAIL_WHY_MAX])
{
    const char *end = text + len, *open;
    while ((open = memmem(text, (size_t)(end - text), "{{", 2))) {
        char name[MAIL_NAME_MAX] = "";
        const char *close = memmem(open, (size_t)(end - open), "}}", 2);
        buf_put(out, text, (size_t)(open - text));
        if (!close || !fill_place(out, with, open + 2, (size_t)(close - open) - 2, name)) {
            (void)snprintf(why, MAIL_WHY_MAX, "the placeholder %s has no value or an invalid one", name);
            return false;
        }
        text = close + 2;
    }
    buf_put(out, text, (size_t)(end - text));
    return true;
}

bool mail_template_fill(struct mail_text *out, const char *language, const char *name, const char *site,
                        const json_t *values, char why[MAIL_WHY_MAX])
{
    const struct embed_file *file = find(language, name);
    if (!file) {
        (void)snprintf(why, MAIL_WHY_MAX, "no template is named %.40s", name);
        return false;
    }
    const char *line = strchr(file->data, '\n');
    ASSERT(line && line[1] == '\n' && strncmp(file->data, head, sizeof(head) - 1) == 0);
    const char *subject = file->data + sizeof(head) - 1, *body = line + 2;
    struct buf to_subject = buf_on(out->subject, sizeof(out->subject) - 1);
    struct buf to_body = buf_on(out->body, sizeof(out->body) - 1);
    const struct filling with = {.language = language, .site = site, .values = values};
    if (!fill(&to_subject, &with, subject, (size_t)(line - subject), why) ||
        !fill(&to_body, &with, body, strlen(body), why))
        return false;
    out->subject[to_subject.len] = '\0';
    out->body[to_body.len] = '\0';
    if (to_subject.full || to_body.full)
        (void)snprintf(why, MAIL_WHY_MAX, "the email is too long");
    return !to_subject.full && !to_body.full;
}
