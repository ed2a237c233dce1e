/* A client that uses only types generated from openapi.yaml, in the strictest TypeScript: a guest signs in,
 * takes a seat, reads the purse, and gets an error. test_generated.py compiles it and runs it with the
 * address of a server. */
import { randomUUID } from 'node:crypto';
import createClient from 'openapi-fetch';
import type { components, paths } from './rest.js';

type Problem = components['schemas']['Problem'];

function need<T>(answer: { data?: T; error?: unknown; response: Response }): T {
  if (answer.data === undefined) throw new Error(`${answer.response.status} ${JSON.stringify(answer.error)}`);
  return answer.data;
}

const rest = createClient<paths, 'application/json' | 'application/problem+json'>({
  baseUrl: process.argv[2] ?? '',
});
const session = need(await rest.POST('/v1/auth/guest', { body: {} }));
const headers = { Authorization: `Bearer ${session.access_token}` };
const variants = need(await rest.GET('/v1/variants', { headers }));

const table = (target: number) =>
  rest.POST('/v1/tables', {
    headers,
    params: { header: { 'Idempotency-Key': randomUUID() } },
    body: { variant: 'straight', seats: 2, options: { target, ace: 'high' }, bots: 1, bot_level: 'easy' },
  });

const seat = need(await table(100));
const wallet = need(await rest.GET('/v1/wallet', { headers }));
const problem: Problem | undefined = (await table(9)).error;
const fault = problem?.errors?.[0];
console.log(
  JSON.stringify({
    player: session.player,
    variants: variants.items.length,
    seat,
    wallet,
    refused: [problem?.code, fault?.code, fault?.pointer],
  }),
);
