import { readdirSync } from 'node:fs';
import js from '@eslint/js';
import globals from 'globals';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import messages from './lint/messages.js';

/* The folders of src/lib, from the ground up: each imports only from those before it. What stands in src/lib itself
 * (router, settings, addresses) comes after `api`; pages come last, and only src/App.svelte imports them. */
const ROOMS =
  `messages api ui cards feel engine rules fair rulebook coach table local guide lobby daily tournaments result board replay
  wallet shop ranks profile account community clubs notifications worker nav`.split(/\s+/);

const folders = readdirSync(new URL('src/lib', import.meta.url), { withFileTypes: true });
for (const entry of folders)
  if (entry.isDirectory() && !ROOMS.includes(entry.name))
    throw new Error(`src/lib/${entry.name} is not in ROOMS`);

/* Below the files of src/lib itself there is nothing but these two. */
const LOOSE_FILES_ABOVE = { messages: ['$lib/*'], api: ['$lib/*', '!$lib/messages'] };

const roomsAbove = (room) => ROOMS.slice(ROOMS.indexOf(room) + 1).map((above) => `$lib/${above}/**`);
const restricted = (files, group, rooms) => ({
  files,
  rules: {
    'no-restricted-imports': [
      'error',
      { patterns: [{ group, message: `see ${rooms} in eslint.config.js` }] },
    ],
  },
});
const mayNotImport = (files, group) =>
  restricted(files, [...group, '../**', '**/pages/**', '$admin/**'], 'ROOMS');

/* The operators' page has folders of its own, in this order. It has its own key and its own addresses: of the players' page
 * it shares only what has neither. */
const ADMIN_ROOMS = ['core', 'parts', 'pages'];
const NOT_FOR_OPERATORS = [
  ...roomsAbove('ui').filter((room) => room !== '$lib/replay/**'),
  '$lib/replay/*',
  '!$lib/replay/kept', // a record goes to the players' page to be seen again
  '$lib/*.svelte',
  '$lib/addresses',
  '$lib/api/client',
  '$lib/api/session*',
  '$lib/api/tokens',
];

export default ts.config(
  { ignores: ['dist/', 'node_modules/'] },
  js.configs.recommended,
  ...ts.configs.strict,
  ...svelte.configs.recommended,
  {
    languageOptions: { globals: { ...globals.browser, ...globals.node } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'no-console': 'error',
    },
  },
  {
    files: ['**/*.svelte', '**/*.svelte.ts'],
    languageOptions: { parserOptions: { parser: ts.parser } },
  },
  {
    files: ['src/**/*.svelte', 'src/**/*.ts'],
    ignores: ['src/lib/messages/**', '**/*.test.ts'],
    plugins: { messages },
    rules: { 'messages/no-text': 'error', 'messages/places': 'error' },
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
