/* All JavaScript and TypeScript: the page, the packages, tests, and benchmarks (scripts/check javascript). */
import js from '@eslint/js';
import { defineConfig, globalIgnores } from 'eslint/config';
import globals from 'globals';
import ts from 'typescript-eslint';
import web from './web/lint/config.js';

/* Playwright's methods and assertions that return a promise, other than those that DOM elements have, too. */
const ACTIONS =
  '/^(goto|reload|goBack|fill|press|pressSequentially|tap|hover|dblclick|evaluate[A-Z]*|waitFor.*|setViewportSize|unroute|addInitScript|emulateMedia|screenshot)$/';
const ASSERTIONS =
  '/^(toPass|toBe(Attached|Checked|Disabled|Editable|Enabled|Focused|Hidden|InViewport|Visible)|toContainText|toHave(Attribute|Class|Count|CSS|Text|Title|URL|Value))$/';

export default defineConfig(
  globalIgnores([
    '**/dist/',
    '**/build*/',
    '**/.venv/',
    '**/.svelte-check/',
    'var/',
    'sdk/typescript/src/gen/',
    'sdk/typescript/scripts/',
    'tests/apps/',
  ]),
  js.configs.recommended,
  ts.configs.strict,
  {
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_' }],
      eqeqeq: 'error',
    },
  },
  { files: ['sdk/typescript/src/**', 'wasm/src/**'], rules: { 'no-console': 'error' } },
  { files: ['sdk/typescript/**/*.ts', 'wasm/**/*.ts', 'tests/clients/*.ts'], rules: { 'no-undef': 'off' } }, // the compiler checks
  {
    files: ['tests/**/*.mjs', 'bench/*.mjs', 'scripts/*.mjs', 'server/**/*.js'],
    languageOptions: { globals: { ...globals.browser, ...globals.node } }, // functions that run in a page are among them
  },
  {
    files: ['tests/e2e/**/*.mjs'],
    languageOptions: { parserOptions: { project: 'tests/e2e/tsconfig.json' } },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error', // a missing await is a race
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
      '@typescript-eslint/await-thenable': 'error',
      // The first rule does not detect it if the page is an untyped parameter.
      'no-restricted-syntax': [
        'error',
        {
          selector: `ExpressionStatement > CallExpression > MemberExpression.callee[property.name=${ACTIONS}]`,
          message: 'await it',
        },
        {
          selector: `ExpressionStatement > CallExpression[callee.object.callee.name='expect'][callee.property.name=${ASSERTIONS}]`,
          message: 'await it',
        },
      ],
      '@typescript-eslint/no-extraneous-class': 'off', // a substitute for one of the browser's
    },
  },
  { basePath: 'web', extends: [web] },
);
