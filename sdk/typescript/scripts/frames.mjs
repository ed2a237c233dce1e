/* Generates the types of live-table frames from asyncapi.yaml: src/gen/frames.ts. `npm run api` calls this
 * script.
 *
 * The contract's schemas keep their names; the payload of message `drew` is the type `frame_drew`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core'; // installed with openapi-typescript
import openapiTS, { astToString } from 'openapi-typescript';

const contract = parseYaml(readFileSync(new URL('../../../asyncapi.yaml', import.meta.url), 'utf8'));

/* Server frames are open in the contract, but the types list only the current members. */
const known = (node) => {
  if (Array.isArray(node)) return node.map(known);
  if (node === null || typeof node !== 'object') return node;
  const members = Object.entries(node).filter(
    ([name, value]) => name !== 'additionalProperties' || value !== true,
  );
  return Object.fromEntries(
    members.map(([name, value]) => [name === 'x-extensible-enum' ? 'enum' : name, known(value)]),
  );
};
const { schemas, messages } = known(contract.components);
const frames = Object.entries(messages).map(([name, message]) => [`frame_${name}`, message.payload]);
const named = (operation) =>
  contract.operations[operation].messages.map(({ $ref }) => `frame_${$ref.split('/').at(-1)}`);

const types = await openapiTS(
  {
    openapi: '3.1.0',
    info: { title: contract.info.title, version: contract.info.version },
    paths: {},
    components: { schemas: { ...schemas, ...Object.fromEntries(frames) } },
  },
  { emptyObjectsUnknown: true },
);
const operations = Object.keys(contract.operations).map(
  (operation) =>
    `  ${operation}: ${named(operation)
      .map((name) => `'${name}'`)
      .join(' | ')};\n`,
);
const closes = contract['x-close-codes'].map(
  ({ name, code, text }) => `  /** ${text}. */\n  ${name.toUpperCase()}: ${code},\n`,
);
const emotes = schemas.emote.enum.map((name) => `'${name}'`).join(', ');
writeFileSync(
  new URL('../src/gen/frames.ts', import.meta.url),
  [
    '/* Generated from asyncapi.yaml by `npm run api`. */',
    astToString(types),
    '/** The frames of each operation of the contract. */',
    `export interface operationFrames {\n${operations.join('')}}`,
    '/** Close codes of sockets. */',
    `export const CLOSE = {\n${closes.join('')}} as const;\n`,
    '/** How long to wait before reconnecting after some of them. */',
    `export const BACK_OFF = ${JSON.stringify(contract['x-back-off'])} as const;\n`,
    '/** When to ping a quiet connection, and when to treat it as dead. */',
    `export const LIVENESS = ${JSON.stringify(contract['x-liveness'])} as const;\n`,
    `export const EMOTES = [${emotes}] as const;\n`,
  ].join('\n'),
);
