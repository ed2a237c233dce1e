/* Lists of a request's faults; see faults.h. */
#include "api/core/faults.h"

#include "base/bug.h"
#include "base/text.h"

#include <stdio.h>
#include <string.h>

#define SHOWN_MAX 60 /* bytes of a name in a sentence */

static const struct {
    const char *name;
    enum api_code problem;
    const char *text;
} codes[API_FAULT_CODES_N] = {
#define API_FAULT(id, name, problem, text) [API_FAULT_##id] = {name, API_##problem, text},
#include "api/faults.def"
#undef API_FAULT
};

/* The largest number of bytes, at most max, that does not split a character. */
static size_t whole_chars(const char *text, size_t len, size_t max)
{
    ASSERT(max > 0);
    size_t n = len < max ? len : max;
    while (n > 0 && n < len && ((unsigned char)text[n] & 0xC0) == 0x80)
        n--;
    return n;
}

void api_fault_name(struct api_fault *fault, const char *name, size_t len)
{
    size_t n = whole_chars(name, len, sizeof(fault->name) - 1);
    memcpy(fault->name, name, n);
    fault->name[n] = '\0';
    fault->cut |= n < len;
    ASSERT(n < sizeof(fault->name));
}

void api_faults_add(struct api_faults *faults, const struct api_fault *fault)
{
    ASSERT(fault->code > API_FAULT_NONE && fault->code < API_FAULT_CODES_N);
    ASSERT(faults->n <= API_FAULTS_MAX);
    if (faults->n < API_FAULTS_MAX)
        faults->list[faults->n++] = *fault;
}

const char *api_fault_code_name(enum api_fault_code code)
{
    ASSERT(code > API_FAULT_NONE && code < API_FAULT_CODES_N);
    return codes[code].name;
}

enum api_code api_fault_problem(const struct api_fault *fault)
{
    ASSERT(fault->code > API_FAULT_NONE && fault->code < API_FAULT_CODES_N);
    enum api_code code = codes[fault->code].problem;
    ASSERT(code != API_OK);
    return fault->place == API_FAULT_PARAMETER && code != API_BAD_CURSOR ? API_BAD_PARAMETER : code;
}

/* --- the sentence --- */

/* "a, b or c" */
static void format_allowed(struct buf *out, const char *const *words)
{
    for (size_t i = 0; words[i]; i++)
        buf_fmt(out, "%s%s", i == 0 ? "" : words[i + 1] ? ", " : " or ", words[i]);
}

static void format_rest(struct buf *out, const struct api_fault *fault)
{
    for (const char *p = codes[fault->code].text; *p;) {
        size_t plain = strcspn(p, "{");
        buf_put(out, p, plain);
        p += plain;
        if (strncmp(p, "{min}", 5) == 0)
            buf_int(out, fault->min);
        else if (strncmp(p, "{max}", 5) == 0)
            buf_int(out, fault->max);
        else if (*p && fault->allowed)
            format_allowed(out, fault->allowed);
        p += strcspn(p, "}");
        p += *p == '}';
    }
}

void api_fault_format(const struct api_fault *fault, char out[API_DETAIL_MAX])
{
    static const char *const kinds[] = {
        [API_FAULT_MEMBER] = "The member ", [API_FAULT_PARAMETER] = "", [API_FAULT_HEADER] = "The header "};
    char text[4 * API_FAULT_NAME_MAX];
    struct buf sentence = buf_on(text, sizeof(text));
    buf_fmt(&sentence, "%s`%.*s`", kinds[fault->place],
            (int)whole_chars(fault->name, strlen(fault->name), SHOWN_MAX), fault->name);
    if (fault->parent[0])
        buf_fmt(&sentence, " of `%.*s`", (int)whole_chars(fault->parent, strlen(fault->parent), SHOWN_MAX),
                fault->parent);
    buf_str(&sentence, " ");
    format_rest(&sentence, fault);
    buf_str(&sentence, ".");
    ASSERT(sentence.len > 0);
    size_t n = whole_chars(text, sentence.len, API_DETAIL_MAX - 1);
    memcpy(out, text, n);
    out[n] = '\0';
}

/* --- the document --- */

/* Appends "/name", escaped as RFC 6901 requires. */
static void put_step(struct buf *out, const char *name)
{
    buf_str(out, "/");
    for (; *name; name++) {
        if (*name == '~')
            buf_str(out, "~0");
        else if (*name == '/')
            buf_str(out, "~1");
        else
            buf_put(out, name, 1);
    }
}

static void write_place(struct buf *out, const struct api_fault *fault)
{
    char text[4 * API_FAULT_NAME_MAX + 8];
    struct buf pointer = buf_on(text, sizeof(text) - 1);
    switch (fault->place) {
    case API_FAULT_PARAMETER:
        json_kv_text(out, "parameter", fault->name);
        return;
    case API_FAULT_HEADER:
        json_kv_text(out, "header", fault->name);
        return;
    case API_FAULT_MEMBER:
        if (fault->parent[0])
            put_step(&pointer, fault->parent);
        if (!fault->cut)
            put_step(&pointer, fault->name);
        ASSERT(!pointer.full);
        text[pointer.len] = '\0';
        json_kv_text(out, "pointer", text);
        return;
    }
    BUG("faults: unknown place");
}

static void write_fault(struct buf *out, const struct api_fault *fault)
{
    const char *text = codes[fault->code].text;
    char detail[API_DETAIL_MAX];
    api_fault_format(fault, detail);
    json_open(out, '{');
    write_place(out, fault);
    json_kv_text(out, "code", codes[fault->code].name);
    json_kv_text(out, "detail", detail);
    if (strstr(text, "{min}"))
        json_kv_num(out, "min", fault->min);
    if (strstr(text, "{max}"))
        json_kv_num(out, "max", fault->max);
    if (strstr(text, "{allowed}")) {
        json_key(out, "allowed");
        json_open(out, '[');
        for (size_t i = 0; fault->allowed && fault->allowed[i]; i++)
            json_text(out, fault->allowed[i]);
        json_close(out, ']');
    }
    json_close(out, '}');
}

void api_faults_write(struct buf *out, const struct api_faults *faults)
{
    json_open(out, '[');
    ASSERT(faults->n <= API_FAULTS_MAX);
    for (size_t i = 0; i < faults->n; i++)
        write_fault(out, &faults->list[i]);
    json_close(out, ']');
}
