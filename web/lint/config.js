/* The rules of the page, which ../../eslint.config.mjs adds to the rules for all JavaScript. Files are
 * relative to web/. */
import { readdirSync } from 'node:fs';
import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import messages from './messages.js';

/* The folders of src/lib, from the bottom up: each imports only from those before it. The files of src/lib itself
 * (router, settings, addresses) come after `api`; pages come last, and only src/App.svelte imports them. */
const ROOMS =
  `parts messages api ui cards feel engine rules fair rulebook coach table local guide lobby daily tournaments result board replay ghost
  puzzles wallet shop ranks profile account community clubs notifications worker nav`.split(/\s+/);

const folders = readdirSync(new URL('../src/lib', import.meta.url), { withFileTypes: true });
for (const entry of folders)
  if (entry.isDirectory() && !ROOMS.includes(entry.name))
    throw new Error(`src/lib/${entry.name} is not in ROOMS`);

/* The only folders besides `parts` that come before the files of src/lib itself. */
const LOOSE_FILES_ABOVE = {
  messages: ['$lib/*', '!$lib/parts'],
  api: ['$lib/*', '!$lib/messages', '!$lib/parts'],
};

const roomsAbove = (room) => ROOMS.slice(ROOMS.indexOf(room) + 1).map((above) => `$lib/${above}/**`);
const restricted = (files, group, rooms) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ group, message: `see ${rooms} in web/lint/config.js` }] },
    ],
  },
});
const mayNotImport = (files, group) =>
  restricted(files, [...group, '../**', '**/pages/**', '$admin/**'], 'ROOMS');

/* Any access to these throws if the browser blocks storage. */
const STORED = ['localStorage', 'sessionStorage', 'indexedDB', 'caches', 'cookieStore'];
const BY_STORAGE = 'use $lib/api/storage, which falls back to memory';
const STORES = ['window', 'globalThis', 'self', 'top', 'parent'].flatMap((object) =>
  STORED.map((property) => ({ object, property, message: BY_STORAGE })),
);

/* The folders of the operators' page, in import order. It has its own key and addresses, so it shares only
 * those parts of the players' page that have neither. */
const ADMIN_ROOMS = ['core', 'parts', 'pages'];
const NOT_FOR_OPERATORS = [
  ...roomsAbove('ui').filter((room) => room !== '$lib/replay/**'),
  '$lib/replay/*',
  '!$lib/replay/saved-record', // a record is replayed on the players' page
  '$lib/*.svelte',
  '$lib/addresses',
  '$lib/api/client',
  '$lib/api/session*',
  '$lib/api/tokens',
];

export default ts.config(
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: { 'no-console': 'error' },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    files: ['src/**/*.svelte', 'src/**/*.ts'],
    ignores: ['src/lib/messages/**', '**/*.test.ts', 'src/test-*.ts'],
    plugins: { messages },
    rules: { 'messages/no-text': 'error', 'messages/places': 'error' },
  },
  {
    files: ['src/**/*.svelte', 'src/**/*.ts', 'src/**/*.js'],
    ignores: ['src/lib/api/storage.ts', 'src/worker/sw.js', '**/*.test.ts'],
    rules: {
      'no-restricted-globals': ['error', ...STORED.map((name) => ({ name, message: BY_STORAGE }))],
      'no-restricted-properties': [
        'error',
        ...STORES,
        { object: 'document', property: 'cookie', message: BY_STORAGE },
      ],
    },
  },
  mayNotImport(
    ['src/lib/*.ts'],
    ROOMS.slice(ROOMS.indexOf('ui'))
      .map((room) => `./${room}/**`)
      .concat(roomsAbove('api')),
  ),
  ...ROOMS.map((room) =>
    mayNotImport([`src/lib/${room}/**`], [...roomsAbove(room), ...(LOOSE_FILES_ABOVE[room] ?? [])]),
  ),
  mayNotImport(['src/pages/**'], []),
  ...ADMIN_ROOMS.map((room, i) =>
    restricted(
      [`src/admin/${room}/**`],
      [...ADMIN_ROOMS.slice(i + 1).map((above) => `$admin/${above}/**`), ...NOT_FOR_OPERATORS],
      'ADMIN_ROOMS',
    ),
  ),
);
