import { Linter } from 'eslint';
import svelte from 'eslint-plugin-svelte';
import ts from 'typescript-eslint';
import { describe, expect, it } from 'vitest';
import messages from './messages.js';

const linter = new Linter();
const rules = { 'messages/no-text': 'error', 'messages/places': 'error' };

function found(code, filename) {
  const config = [
    ...svelte.configs.base,
    { files: ['**/*.ts'], languageOptions: { parser: ts.parser } },
    { files: ['**/*.svelte'], languageOptions: { parserOptions: { parser: ts.parser } } },
    { files: ['**/*'], plugins: { messages }, rules },
  ];
  return linter
    .verify(code, config, { filename })
    .map(({ ruleId, message }) => (ruleId ? ruleId.replace('messages/', '') : message));
}
const page = (markup, script = '') => found(`<script lang="ts">${script}</script>\n${markup}`, 'x.svelte');
const module = (code) => found(code, 'x.ts');

describe('text in code is found', () => {
  it.each([
    '<p>Play now</p>',
    '<p>{count} cards</p>',
    '<button aria-label="Close">x</button>',
    '<input placeholder="Your name" />',
    '<img alt="A card" src={picture} />',
    '<Modal title="Leave the table?" />',
    '<Listing empty="Nothing yet." />',
    "<p>{busy ? 'Opening…' : name}</p>",
    '<p>{`${n} cards are in the stock`}</p>',
    "<Listing columns={['When', 'Chips']} />",
  ])('%s', (markup) => {
    expect(page(markup)).toContain('no-text');
  });

  it.each([
    "const title = 'Choose a card';",
    "export const NAMES = { paid: 'Paid' };",
    'export const told = (n: number) => `You have ${n} cards left`;',
    "game.say('not now, please wait', 'info');",
  ])('%s', (code) => {
    expect(module(code)).toContain('no-text');
  });
});

describe('what is no text passes', () => {
  it.each([
    '<p class="big panel">{say(\'loading\')}</p>',
    '<path d="M3 4.5h14v9H9l-4 3.5v-3.5H3z" />',
    "<p class={wide ? 'panel wide' : 'panel'}>{n} · {m}</p>",
    "<b onkeydown={(e) => e.key === 'Enter' && go()}>{name}</b>",
    '<input name="email" autocomplete="username webauthn" placeholder="5F0C6CF2" />',
  ])('%s', (markup) => {
    expect(page(markup)).toEqual([]);
  });

  it.each([
    "import { x } from 'The Wrong Place';",
    "throw new Error('index.html has no #app');",
    "api.GET('/v1/games');",
    "const phase: 'Play now' | 'Wait' = next;",
    "if (key === 'Escape') close();",
  ])('%s', (code) => {
    expect(module(code)).toEqual([]);
  });
});

describe('a message is given what it has places for', () => {
  it.each([
    ["say('loading');", []],
    ["say('bar.hand', { n: 3 });", []],
    ["say('bar.hand');", ['places']],
    ["say('bar.hand', { number: 3 });", ['places', 'places']],
    ["say('loading', { n: 3 });", ['places']],
    ["say('event.won', { ...doer });", []],
  ])('%s', (code, rulesBroken) => {
    expect(module(code)).toEqual(rulesBroken);
  });
});
