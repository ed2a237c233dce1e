/* `virtual:messages/<part>/<locale>` for the parts `entrance`, `first`, and `later`, and `virtual:messages/admin` of the operators'
 * page: message files as separate, compiled modules, so that the browser needs no parser. A message without placeholders is a
 * string; one with placeholders is a function of their values. Plurals, selects, and numbers call @messageformat/runtime.
 *
 * `virtual:messages/catalogs` fetches them. At a build, each becomes a file `assets/<locale>-<part>-<hash>.js` with all that it
 * needs, and the page's first script contains only one hash per language, so that another language hardly
 * increases its size. */
import MessageFormat from '@messageformat/core';
import compileModule from '@messageformat/core/lib/compile-module.js';
import { parse } from '@messageformat/parser';
import { createHash } from 'node:crypto';
import type { Plugin, Rollup } from 'vite';
import { formatsOf, isTag, TAGS, type LocaleTag } from '../../src/lib/messages/locales';
import { ADMIN_FILE, fileOf, ofOperators, sentencesOf, type Sentences } from './files';
import { partOf, PARTS } from './message-use';

const NAME = 'virtual:messages/';

/** The text of a message without placeholders. */
function plainOf(message: string): string | null {
  const tokens = parse(message);
  return tokens.every((token) => token.type === 'content')
    ? tokens.map((token) => ('value' in token ? token.value : '')).join('')
    : null;
}

const RUNTIME = /^import \{(.*)\bnumber\b(.*)\} from "@messageformat\/runtime";$/m;

/** The runtime writes a negative number with a hyphen in most languages; the page uses a minus sign (number() of
 * src/lib/messages/format.ts). */
function withMinusSigns(code: string): string {
  return code.replace(
    RUNTIME,
    `import {$1number as hyphened$2} from "@messageformat/runtime";
const number = (...values) => hyphened(...values).replace('-', '\u2212');`,
  );
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
  return `${withMinusSigns(code)}\nexport default { ...placed, ...${JSON.stringify(plain)} };\n`;
}

/** Fetches a part as a module of the development server. */
function fromModules(): string {
  const rows = TAGS.flatMap((tag) =>
    PARTS.map((part) => `'${part}/${tag}': () => import('${NAME}${part}/${tag}'),`),
  );
  return `const parts = { ${rows.join('\n')} };
export const fetchTexts = (tag, part) => parts[part + '/' + tag]();`;
}

/** Fetches a part as a file of the build, next to the script that contains this. */
function fromFiles(hashes: Record<string, string>): string {
  return `const hashes = ${JSON.stringify(hashes)};
export const fetchTexts = (tag, part) =>
  import(/* @vite-ignore */ './' + tag + '-' + part + '-' + hashes[tag] + '.js');`;
}

/** Appended to the name of a module that is copied into one file. */
const COPY = '?in=';
const HASH_LENGTH = 7;
const hashOf = (codes: string[]) =>
  createHash('sha256').update(codes.join('\n')).digest('base64url').slice(0, HASH_LENGTH);

export function messages(): Plugin {
  let parts: ReturnType<typeof partOf> | null = null;
  let builds = false;

  function codeOf(tag: LocaleTag, part: string): string {
    const of = (parts ??= partOf());
    const said = Object.entries(sentencesOf(tag)).filter(([key]) => of(key) === part);
    return compiled(Object.fromEntries(said), formatsOf(tag));
  }

  /** Adds the files of all languages to the build; returns the hash of each language. */
  function emitFiles(context: Rollup.PluginContext): Record<string, string> {
    const hashes = TAGS.map((tag): [LocaleTag, string] => [
      tag,
      hashOf(PARTS.map((part) => codeOf(tag, part))),
    ]);
    for (const [tag, hash] of hashes)
      for (const part of PARTS)
        context.emitFile({
          type: 'chunk',
          id: `${NAME}${part}/${tag}`,
          fileName: `assets/${tag}-${part}-${hash}.js`,
          preserveSignature: 'strict',
        });
    return Object.fromEntries(hashes);
  }

  return {
    name: 'rummyd-messages',
    enforce: 'pre',
    configResolved: ({ command }) => {
      builds = command === 'build';
    },
    async resolveId(id, importer = '') {
      if (id.startsWith(NAME)) return `\0${id}`;
      /* Each file gets its own copy: a shared one would be another file to fetch, with the plural rules of
       * all languages. */
      const file = importer.startsWith(`\0${NAME}`)
        ? importer.slice(NAME.length + 1)
        : importer.split(COPY)[1];
      const found =
        builds && file && file !== 'catalogs' ? await this.resolve(id, importer, { skipSelf: true }) : null;
      return found && { ...found, id: `${found.id}${COPY}${file}` };
    },
    load(id) {
      const [part = '', tag = ''] = id.slice(NAME.length + 1).split('/');
      if (!id.startsWith(`\0${NAME}`)) return undefined;
      if (part === 'admin') {
        this.addWatchFile(ADMIN_FILE);
        return compiled(ofOperators(), 'en');
      }
      if (part === 'catalogs') return builds ? fromFiles(emitFiles(this)) : fromModules();
      if (!isTag(tag)) return undefined;
      for (const file of [fileOf(tag), fileOf('en')]) this.addWatchFile(file);
      return codeOf(tag, part);
    },
  };
}
