/* web/dist/heads.json: titles, descriptions, and link previews of the pages, which the server inserts into index.html for search
 * engines and messengers (server/http/heads.h). src/lib/pages-known.ts lists the pages, and the messages head.<page> are their texts.
 * A page without texts needs an account: it gets only a title and is not indexed. */
import type { Plugin } from 'vite';
import { lessonsOf } from '../../src/lib/guide/lessons/offered';
import { ABOUT, MOVED, PLAIN } from '../../src/lib/pages-known';
import { localeOf, OFFERED, type LocaleTag } from '../../src/lib/messages/locales';
import variants from '../../src/lib/rules/variants.json';
import { sentencesOf } from '../messages/files';
import { pictures, PREVIEWS } from './previews';

interface Row {
  name: string;
  first: string;
  ids?: 'number' | 'word' | readonly string[];
  rest?: 'word' | readonly string[];
  /** Visible without an account. */
  open?: true;
  /** The target of a link that a player sends. It has a preview but is not indexed. */
  linked?: true;
  /** The kind of item that q_page (db/functions/pages) looks up. */
  kind?: string;
  /** The placeholder in the texts that the id fills. */
  fact?: string;
  /** Its picture; omitted: the picture of the home page. */
  preview?: string;
}

/** Pages whose texts need facts from the database, which q_page looks up. */
const KINDS = ['player', 'game', 'club', 'tournament', 'join', 'invite'];
const LINKED = ['join', 'invite'];
/** Pages about a variant. */
const OF_VARIANTS = ['rulebook', 'guide', 'path'];
const PICTURES: Record<string, string> = {
  player: 'player',
  game: 'game',
  club: 'club',
  tournament: 'tournament',
  join: 'table',
  tournaments: 'tournament',
  clubs: 'club',
  leaderboards: 'player',
};
/** The picture of a variant: its own, or else its family's. */
const pictureOf = (variant: string, family: string) =>
  PREVIEWS.find((name) => name === variant) ?? (family === 'declare' ? 'declare' : 'home');

/** By page. The server fills placeholders with facts from q_page or with words of the language. */
export type Texts = Record<string, { title?: string; description?: string }>;

export function textsOf(tag: LocaleTag): Texts {
  const texts: Texts = {};
  for (const [key, text] of Object.entries(sentencesOf(tag))) {
    const [, name, member] = /^head\.(\w+)\.(title|description)$/.exec(key) ?? [];
    if (name && member) texts[name] = { ...texts[name], [member]: text };
  }
  return texts;
}

/** Tags of unsupported languages → the language that their readers get instead. */
function near(): Record<string, LocaleTag> {
  const rows = OFFERED.flatMap((as) => (localeOf(as).near ?? []).map((tag) => [tag, as] as const));
  return Object.fromEntries(rows.filter(([tag]) => !(OFFERED as string[]).includes(tag)));
}

export function rows(): Row[] {
  const open = textsOf('en');
  const known = (name: string, row: Row): Row => {
    const preview = PICTURES[name];
    return {
      ...row,
      ...(Object.hasOwn(open, name) && (LINKED.includes(name) ? { linked: true } : { open: true })),
      ...(KINDS.includes(name) && { kind: name }),
      ...(preview && { preview }),
    };
  };
  const plain = ['home', ...PLAIN].map((name) => known(name, { name, first: name === 'home' ? '' : name }));
  const about = Object.entries(ABOUT).map(([first, [name, pattern]]): Row => {
    if (OF_VARIANTS.includes(name))
      return { ...known(name, { name, first }), ids: Object.keys(variants), fact: 'variant' };
    return known(name, { name, first, ids: pattern.source === '^\\d+$' ? 'number' : 'word' });
  });
  const game = known('game', { name: 'game', first: 'games', ids: 'number' });
  const again = ['replay', 'play'].map((rest): Row => ({ ...game, rest: [rest] }));
  const lessons = about
    .filter(({ name }) => name === 'path')
    .flatMap((row) =>
      Object.keys(variants).map((variant): Row => ({ ...row, ids: [variant], rest: lessonsOf(variant) })),
    );
  const sheet: Row = {
    ...known('sheet', { name: 'sheet', first: 'rules', ids: Object.keys(variants) }),
    fact: 'variant',
    rest: ['score-sheet'],
  };
  const watch: Row = { name: 'watch', first: 'watch', ids: 'number' };
  const moved = Object.keys(MOVED).map((path): Row => ({ name: 'lobby', first: path.slice(1) }));
  return [...plain, ...about, ...again, ...lessons, sheet, watch, { ...watch, rest: 'word' }, ...moved];
}

/** A title as the browser tab shows it. */
function titled(title: string, said: Record<string, string>): string {
  return (said['page.title'] ?? '{page}').replace('{page}', title);
}

const brandOf = (said: Record<string, string>) => titled('', said).replace(/^[^\p{L}]+/u, '');

/** The title of a page without texts. */
function plainTitle(name: string, said: Record<string, string>): string {
  const page = said[`page.${name.replace('-', '_')}`];
  return page && !page.includes('{') ? titled(page, said) : titled(said['page.lobby'] ?? '', said);
}

function languageOf(tag: LocaleTag) {
  const said = sentencesOf(tag);
  const own = textsOf(tag);
  const texts: Record<string, unknown> = {
    site: brandOf(said),
    about: own['home']?.description,
    picture: said['head.picture'],
    noscript: said['head.noscript'],
    unknown: [plainTitle('unknown', said)],
  };
  for (const { name } of rows()) {
    const { title, description } = own[name] ?? {};
    texts[name] =
      title === undefined
        ? [plainTitle(name, said)]
        : [name === 'home' ? title : titled(title, said), description];
  }
  const words = Object.keys(variants).flatMap((variant) => [
    [`variant.${variant}`, said[`variant.${variant}`]],
    [`about.${variant}`, said[`variant.text.${variant}`]],
  ]);
  return { texts, words: Object.fromEntries(words) as Record<string, string> };
}

export function headsJson(): string {
  const languages = OFFERED.map((tag) => [tag, languageOf(tag)] as const);
  return JSON.stringify({
    languages: OFFERED,
    near: near(),
    pages: rows(),
    previews: Object.fromEntries(
      Object.entries(variants).map(([variant, { family }]) => [variant, pictureOf(variant, family)]),
    ),
    texts: Object.fromEntries(languages.map(([tag, { texts }]) => [tag, texts])),
    words: Object.fromEntries(languages.map(([tag, { words }]) => [tag, words])),
  });
}

export function heads(): Plugin {
  return {
    name: 'rummyd-heads',
    apply: 'build',
    async generateBundle() {
      this.emitFile({ type: 'asset', fileName: 'heads.json', source: headsJson() });
      for (const [name, source] of await pictures(brandOf(sentencesOf('en'))))
        this.emitFile({ type: 'asset', fileName: `preview/${name}.png`, source });
    },
  };
}
