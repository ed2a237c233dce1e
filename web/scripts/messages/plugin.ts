/* `virtual:messages/<part>/<locale>` for the parts `entrance`, `first`, and `later`, and `virtual:messages/admin` of the operators'
 * page: message files as separate, compiled modules, so that the browser needs no parser. A message without placeholders is a
 * string; one with placeholders is a function of their values. Plurals, selects, and numbers call @messageformat/runtime. */
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/lib/compile-module.js';
import { parse } from '@messageformat/parser';
import type { Plugin } from 'vite';
import { isTag, localeOf } from '../../src/lib/messages/locales';
import { ADMIN_FILE, fileOf, ofOperators, sentencesOf, type Sentences } from './files';
import { partOf } from './message-use';

const NAME = 'virtual:messages/';

/** The text of a message without placeholders. */
function plainOf(message: string): string | null {
  const tokens = parse(message);
  return tokens.every((token) => token.type === 'content')
    ? tokens.map((token) => ('value' in token ? token.value : '')).join('')
    : null;
}

/** `formats`: the language whose plurals and numbers the sentences use. */
export function compiled(sentences: Sentences, formats: string): string {
  const plain: Sentences = {};
  const placed: Sentences = {};
  for (const [key, message] of Object.entries(sentences)) {
    const text = plainOf(message);
    if (text === null) placed[key] = message;
    else plain[key] = text;
  }
  const format = new MessageFormat(formats, {
    returnType: 'string',
    strictPluralKeys: false, // messages that are still in English have English plurals
  });
  const code = compileModule(format, placed).replace('export default {', 'const placed = {');
  return `${code}\nexport default { ...placed, ...${JSON.stringify(plain)} };\n`;
}

export function messages(): Plugin {
  let parts: ReturnType<typeof partOf> | null = null;
  return {
    name: 'rummyd-messages',
    resolveId: (id) => (id.startsWith(NAME) ? `\0${id}` : undefined),
    load(id) {
      const [part, tag = ''] = id.slice(NAME.length + 1).split('/');
      if (id === `\0${NAME}admin`) {
        this.addWatchFile(ADMIN_FILE);
        return compiled(ofOperators(), 'en');
      }
      if (!id.startsWith(`\0${NAME}`) || !isTag(tag)) return undefined;
      for (const file of [fileOf(tag), fileOf('en')]) this.addWatchFile(file);
      const of = (parts ??= partOf());
      const said = Object.entries(sentencesOf(tag)).filter(([key]) => of(key) === part);
      return compiled(Object.fromEntries(said), localeOf(tag).formats ?? tag);
    },
  };
}
