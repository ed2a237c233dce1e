/* The project's own rules for eslint: all visible texts are in the message files, and code that uses a message passes
 * a value for each of its placeholders. Tested in messages.test.js. */
import { readFileSync } from 'node:fs';
import { parse } from '@messageformat/parser';

const english = JSON.parse(readFileSync(new URL('../src/lib/messages/en.json', import.meta.url), 'utf8'));

/* ---- Text in code ------------------------------------------------------------------------------- */

/** Attributes that users read or hear. */
const READ = new Set(
  `aria-label aria-description aria-placeholder aria-roledescription aria-valuetext alt label placeholder title
  about caption content data-what empty more verb button`.split(/\s+/),
);
/* Values of those attributes that select a text and are not shown. */
const CHOICES = new Set(['continue', 'link', 'again', 'sign_in_again']);

/** Names of keys, events, headers, and the like, which are capitalized but not text. */
const NAMES =
  /^(?:(?:Arrow)?(?:Left|Right|Up|Down)|Enter|Escape|Home|End|Tab|Space|Backspace|Delete|PageUp|PageDown|Accept-Language|Idempotency-Key|Authorization|Bearer(?: .*)?|Content-Type|Retry-After|Content-Disposition|Date|Number|Intl|[A-Z][a-z]+(?:[A-Z][A-Za-z]*)+)$/;

/** Whether a string looks like text: a capitalized word, or several words that are not a list of lowercase
 * names. */
function reads(text) {
  const words = text.trim();
  if (NAMES.test(words)) return false;
  if (/^\p{Lu}\p{Ll}+(?=$|[\s.,:!?…’'-])/u.test(words)) return true;
  return (
    /\p{L}{2,}[\p{L}’'-]*[,.:;!?…]?\s+\p{L}{2,}/u.test(words) &&
    /[.,!?…’]|\b(?:the|a|an|of|to|your|you|is|are|in)\b/u.test(words)
  );
}

/** Whether the position of a string in the code shows that it is not text. */
function elsewhere(node) {
  let child = node;
  for (let at = node.parent; at; child = at, at = at.parent) {
    if (/^ImportDeclaration$|^TS(?!As|NonNull|Satisfies)\w*/.test(at.type) || at.source === child)
      return true;
    if (at.type === 'NewExpression' && at.callee.name === 'Error') return true; // reports a bug in the console
    if (at.type === 'Property' && at.key === child && !at.computed) return true;
    if (at.type === 'MemberExpression' && at.property === child) return true;
    if (at.type === 'BinaryExpression' && /^(?:[!=]==?|in)$/.test(at.operator)) return true;
    if (at.type === 'CallExpression' && at.callee !== child)
      return (
        /^(?:say|sayOf|sayOr)$/.test(at.callee.name ?? '') ||
        /^(?:get|getItem|has|set|includes|querySelector\w*|closest)$/.test(at.callee.property?.name ?? '')
      );
    if (at.type === 'SvelteAttribute')
      return (
        !READ.has(at.key.name) && /^(?:class|style|d|viewBox|transform|href|rel|on\w+)$/.test(at.key.name)
      );
    if (at.type === 'SvelteStyleDirective' || at.type === 'SvelteDirective') return true;
    if (/Function|Statement$|^Program$/.test(at.type)) return false;
  }
  return false;
}

const noText = {
  meta: {
    type: 'problem',
    docs: { description: 'what people read stands in src/lib/messages' },
    messages: { text: 'text in code: {{text}}. Put it into src/lib/messages/en.json and say() it.' },
    schema: [],
  },
  create(context) {
    const report = (node, text) =>
      context.report({ node, messageId: 'text', data: { text: JSON.stringify(text.trim().slice(0, 60)) } });
    const inStyle = (node) =>
      node.parent?.type === 'SvelteStyleElement' || node.parent?.type === 'SvelteScriptElement';
    return {
      SvelteText(node) {
        if (!inStyle(node) && /\p{L}/u.test(node.value)) report(node, node.value);
      },
      SvelteLiteral(node) {
        const name = node.parent.key?.name ?? '';
        if (READ.has(name) && /\p{Ll}{2}/u.test(node.value) && !CHOICES.has(node.value))
          report(node, node.value);
      },
      Literal(node) {
        if (typeof node.value === 'string' && reads(node.value) && !elsewhere(node)) report(node, node.value);
      },
      TemplateElement(node) {
        if (reads(node.value.cooked ?? '') && !elsewhere(node.parent)) report(node, node.value.cooked);
      },
    };
  },
};

/* ---- Placeholders of a message
 * ------------------------------------------------------------------------ */

function placesOf(message) {
  const found = new Set();
  const walk = (tokens) => {
    for (const token of tokens) {
      if (token.arg) found.add(token.arg);
      for (const { tokens: inner } of token.cases ?? []) walk(inner);
    }
  };
  walk(parse(message));
  return found;
}

const places = {
  meta: {
    type: 'problem',
    docs: { description: 'say() is given what the message has places for, and nothing else' },
    messages: {
      missing: '{{key}} has a place for {{name}}, which is not given',
      extra: '{{key}} has no place for {{name}}',
    },
    schema: [],
  },
  create(context) {
    return {
      'CallExpression[callee.name="say"]'(node) {
        const [key, values] = node.arguments;
        if (key?.type !== 'Literal' || !(key.value in english)) return;
        if (values && values.type !== 'ObjectExpression') return;
        const wanted = placesOf(english[key.value]);
        const properties = values?.properties ?? [];
        const open = properties.some((property) => property.type === 'SpreadElement');
        const given = new Set(
          properties.flatMap((property) => (property.key?.name ? [property.key.name] : [])),
        );
        for (const name of given)
          if (!wanted.has(name)) context.report({ node, messageId: 'extra', data: { key: key.value, name } });
        for (const name of wanted)
          if (!open && !given.has(name))
            context.report({ node, messageId: 'missing', data: { key: key.value, name } });
      },
    };
  },
};

export default { rules: { 'no-text': noText, places } };
