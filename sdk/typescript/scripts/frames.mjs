/* Types of the frames of the live tables, out of asyncapi.yaml: src/gen/frames.ts. `npm run api` calls it.
 *
 * The contract's schemas keep their names; the payload of message `drew` is the type `frame_drew`. */
import { readFileSync, writeFileSync } from 'node:fs';
import { parseYaml } from '@redocly/openapi-core'; // comes with openapi-typescript
import openapiTS, { astToString } from 'openapi-typescript';

const contract = parseYaml(readFileSync(new URL('../../../asyncapi.yaml', import.meta.url), 'utf8'));
const { schemas, messages } = contract.components;
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
    '/* Made out of asyncapi.yaml by `npm run api`. */',
    astToString(types),
    '/** The frames of each operation of the contract. */',
    `export interface operationFrames {\n${operations.join('')}}`,
    '/** Close codes of sockets. */',
    `export const CLOSE = {\n${closes.join('')}} as const;\n`,
    '/** How long to wait after some of them. */',
    `export const BACK_OFF = ${JSON.stringify(contract['x-back-off'])} as const;\n`,
    '/** When to ask whether the line still holds, and when it does not. */',
    `export const LIVENESS = ${JSON.stringify(contract['x-liveness'])} as const;\n`,
    `export const EMOTES = [${emotes}] as const;\n`,
  ].join('\n'),
);
