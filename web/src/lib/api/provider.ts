/* Signing in by a provider of OpenID Connect: what this tab keeps while the player is there, and what they bring back. */
import type { components } from '@rummyd/client';
import { load, save } from './storage';

type Schemas = components['schemas'];
export type Provider = Schemas['ProviderList']['items'][number];
export type Identity = Schemas['IdentityList']['items'][number];

/** Somebody on their way to a provider. */
export interface Flow {
  provider: Provider;
  /** To sign in, or to link the provider to the account that is signed in. */
  act: 'sign-in' | 'link';
  /** Who is to sign in once more; null: anybody. */
  player: string | null;
  /** The address from which they left. */
  back: string;
  state: string;
  secret: string;
}

/** What they bring back: what finishes it, or why it cannot be finished. */
export type Back =
  | { flow: Flow; finish: Omit<Schemas['SignInFinish'], 'device_token'> }
  | { flow: Flow | null; refused: 'stray' | 'cancelled' | 'failed' };

const KEY = 'sign_in';
/** How providers say that somebody changed their mind; the second is Apple's. */
const CANCELLED = ['access_denied', 'user_cancelled_authorize'];

export function keepFlow(flow: Flow): void {
  save(KEY, flow, 'session');
}

/** What the query of the address means to who left for a provider from this tab. Pure. */
export function backOf(query: string, flow: Flow | null): Back {
  const told = new URLSearchParams(query);
  const [code, iss] = [told.get('code'), told.get('iss')];
  if (!flow || told.get('state') !== flow.state) return { flow: null, refused: 'stray' };
  if (CANCELLED.includes(told.get('error') ?? '')) return { flow, refused: 'cancelled' };
  if (!code || told.has('error')) return { flow, refused: 'failed' };
  return { flow, finish: { code, state: flow.state, secret: flow.secret, ...(iss && { iss }) } };
}

/** The same of the address by which the page was opened. It is cleaned at once, in the history, too; and what was kept is
 * good once. */
export function takeBack(
  from: Pick<Location, 'search' | 'pathname'> = location,
  past: Pick<History, 'replaceState' | 'state'> = history,
): Back {
  const back = backOf(from.search, load<Flow | null>(KEY, null, 'session'));
  if (back.flow) save(KEY, null, 'session');
  past.replaceState(past.state, '', from.pathname);
  return back;
}
