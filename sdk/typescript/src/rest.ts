/* REST, typed from openapi.yaml. */
import createClient, { type Client, type Middleware } from 'openapi-fetch';
import type { paths } from './gen/rest.js';
import { randomId } from './ids.js';
import { ApiError, type Problem } from './problem.js';
import { withoutSlash, type AccessTokens } from './tokens.js';

export interface RestOptions {
  /** URL of the server, such as `http://localhost:8080`. */
  url: string;
  tokens: AccessTokens;
  /** Total time for retries of a request, in ms; 0: no retries. After a 429 or 503, the client waits for
   * `Retry-After`. It also retries if there was no response. */
  patienceMs?: number;
  /** The player's language, such as `de`, which the server uses for emails if it supports it. Browsers send
   * their own. */
  language?: () => string;
  /** Sends a request; replaces `fetch`. */
  send?: (request: Request) => Promise<Response>;
}

/* Use parseAs for plain-text and line-based responses. */
export type Rest = Client<paths, 'application/json' | 'application/problem+json'>;

export interface Answer<T> {
  data?: T;
  error?: unknown;
  response: Response;
}

/** Paths that do not require a session. */
const PUBLIC = /^\/v1\/auth\/(?!upgrade$|logout-)/;
const LINE_AGAIN_MS = 500;

/** Whether to retry. Only reads and requests with an idempotency key are safe to repeat, except after a
 * 429, which had no effect. */
function again(request: Request, status: number): boolean {
  if (status === 429) return true;
  return (
    (status === 503 || status === 0) && (request.method === 'GET' || request.headers.has('Idempotency-Key'))
  );
}

/** Milliseconds to wait, as required by the server. */
function waitOf(response: Response): number {
  const seconds = Number(response.headers.get('Retry-After') ?? 1);
  return (Number.isFinite(seconds) ? seconds : 1) * 1000;
}

/** A client of the whole contract: `rest.GET('/v1/me')`; `need` returns the data or throws. */
export function createRest({ url, tokens, patienceMs = 0, language, send = fetch }: RestOptions): Rest {
  const headers: Middleware = {
    async onRequest({ request, schemaPath }) {
      if (language) request.headers.set('Accept-Language', language());
      if (PUBLIC.test(schemaPath)) return request;
      const token = await tokens.access();
      if (token) request.headers.set('Authorization', `Bearer ${token}`);
      return request;
    },
  };

  /** Retries with a new token if the old one was rejected. */
  async function signed(request: Request): Promise<Response> {
    const second = request.clone();
    const response = await send(request);
    const sent = request.headers.get('Authorization');
    if (response.status !== 401 || !sent) return response;
    const token = await tokens.access(sent.replace('Bearer ', ''));
    if (!token) return response;
    second.headers.set('Authorization', `Bearer ${token}`);
    return fetch(second);
  }

  async function patient(request: Request): Promise<Response> {
    const until = Date.now() + patienceMs;
    for (;;) {
      const next = request.clone();
      const response = await signed(request).catch((lost: unknown) => lost as Error);
      const status = response instanceof Response ? response.status : 0;
      const wait = response instanceof Response ? waitOf(response) : LINE_AGAIN_MS;
      if (!again(request, status) || Date.now() + wait > until) {
        if (response instanceof Response) return response;
        throw response;
      }
      await new Promise((done) => setTimeout(done, wait));
      request = next;
    }
  }

  const rest: Rest = createClient({ baseUrl: withoutSlash(url), fetch: patienceMs > 0 ? patient : signed });
  rest.use(headers);
  return rest;
}

/** Returns the data of a response; throws an ApiError if it failed. */
export async function need<T>(answer: Promise<Answer<T>>): Promise<T> {
  let got: Answer<T>;
  try {
    got = await answer;
  } catch {
    throw new ApiError(undefined, 0);
  }
  if (!got.response.ok) throw new ApiError(got.error as Partial<Problem> | undefined, got.response.status);
  return got.data as T;
}

/** Idempotency key of a request. */
export function idempotencyKey(): { 'Idempotency-Key': string } {
  return { 'Idempotency-Key': randomId() };
}
