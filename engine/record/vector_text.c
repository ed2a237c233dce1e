/* Failures, cards, and refusals in the text of rule vectors; see vector_text.h. */
#include "engine/record/vector_text.h"

#include "base/bug.h"

void eng_vector_fail(struct eng_lex *lex, struct eng_vector *v, size_t at, const char *what,
                     const char *stated, const char *real)
{
    ASSERT(what != NULL);
    if (v->wrong[0] != '\0')
        return;
    struct buf b = buf_on(v->wrong, sizeof v->wrong - 1);
    eng_lex_place(lex, at, &v->line, &v->column);
    buf_str(&b, what);
    if (stated != NULL) {
        buf_str(&b, ": expected ");
        buf_str(&b, stated[0] != '\0' ? stated : "nothing");
        buf_str(&b, ", got ");
        buf_str(&b, real[0] != '\0' ? real : "nothing");
    }
    v->wrong[b.full ? sizeof v->wrong - 1 : b.len] = '\0';
}

void eng_vector_cards_text(char out[CARDS_TEXT_MAX], const uint8_t *cards, int n)
{
    struct buf b = buf_on(out, CARDS_TEXT_MAX - 1);
    ASSERT(n >= 0 && n <= ENG_CARD_MAX);
    for (int i = 0; i < n; i++) {
        char name[ENG_CARD_NAME_MAX];
        if (i > 0)
            buf_put(&b, " ", 1);
        size_t len = (size_t)eng_card_name(name, cards[i]);
        buf_put(&b, name, len);
    }
    out[b.len] = '\0';
}

int eng_vector_refusal_named(struct eng_lex *lex)
{
    const char *names[ENG_REFUSAL_END] = {NULL};
    for (int code = ENG_OK + 1; code < ENG_REFUSAL_END; code++)
        names[code] = eng_refusal_name((enum eng_refusal)code);
    ASSERT(names[ENG_OK] == NULL);
    return eng_lex_one_of(lex, names, ENG_REFUSAL_END, "the code of a refusal");
}
