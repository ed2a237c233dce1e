/* OpenID Connect sign-in: what this tab stores while the player is away, and what they return with. */
import type { components } from '@rummyd/client';
import { load, save } from './storage';

type Schemas = components['schemas'];
export type Provider = Schemas['ProviderList']['items'][number];
export type Identity = Schemas['IdentityList']['items'][number];

/** A sign-in in progress. */
export interface Flow {
  provider: Provider;
  /** To sign in, or to link the provider to the signed-in account. */
  act: 'sign-in' | 'link';
  /** The player who must sign in again; null: anyone. */
  player: string | null;
  /** The address from which they left. */
  back: string;
  state: string;
  secret: string;
}

/** What they return with: the data to finish it, or why it cannot be finished. */
export type Back =
  | { flow: Flow; finish: Omit<Schemas['SignInFinish'], 'device_token'> }
  | { flow: Flow | null; refused: 'stray' | 'cancelled' | 'failed' };

const KEY = 'sign_in';
/** How providers report that a player canceled; the second is Apple's. */
const CANCELLED = ['access_denied', 'user_cancelled_authorize'];

export function keepFlow(flow: Flow): void {
  save(KEY, flow, 'session');
}

/** Meaning of the address query to a player who left for a provider from this tab. Pure. */
export function backOf(query: string, flow: Flow | null): Back {
  const told = new URLSearchParams(query);
  const [code, iss] = [told.get('code'), told.get('iss')];
  if (!flow || told.get('state') !== flow.state) return { flow: null, refused: 'stray' };
  if (CANCELLED.includes(told.get('error') ?? '')) return { flow, refused: 'cancelled' };
  if (!code || told.has('error')) return { flow, refused: 'failed' };
  return { flow, finish: { code, state: flow.state, secret: flow.secret, ...(iss && { iss }) } };
}

/** The same for the address that opened the page. It is cleaned at once, also in the history, and the stored
 * data can be used only once. */
export function takeBack(
  from: Pick<Location, 'search' | 'pathname'> = location,
  past: Pick<History, 'replaceState' | 'state'> = history,
): Back {
  const back = backOf(from.search, load<Flow | null>(KEY, null, 'session'));
  if (back.flow) save(KEY, null, 'session');
  past.replaceState(past.state, '', from.pathname);
  return back;
}
