/* The page's own list of frames against the contract, asyncapi.yaml. */
import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { expect, it } from 'vitest';
import { CLOSE, COMMANDS, EVENTS, STATES } from './protocol';

const ours = [COMMANDS, EVENTS, STATES].flatMap((names) => Object.keys(names));
const contract = readFileSync(fileURLToPath(new URL('../../../../asyncapi.yaml', import.meta.url)), 'utf8');

it('knows every frame of the contract, and no other', () => {
  const named = [...contract.matchAll(/^ {10}t: \{const: (\w+)\}$/gm)].map((m) => m[1] ?? '');
  expect([...new Set(named)].sort()).toEqual([...new Set(ours)].sort());
});

it('knows the close codes', () => {
  for (const code of Object.values(CLOSE)) expect(contract).toContain(String(code));
});
