/* OpenID Connect sign-in: the data that this tab stores while the player is at the provider, and the data
 * with which they return. */
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
  /** The only player allowed to sign in; null: anyone. */
  player: string | null;
  /** The address that the player left. */
  back: string;
  state: string;
  secret: string;
}

/** Result of the visit to the provider: the data to finish the flow, or why it cannot be finished. */
export type Back =
  | { flow: Flow; finish: Omit<Schemas['SignInFinish'], 'device_token'> }
  | { flow: Flow | null; refused: 'stray' | 'cancelled' | 'failed' };

const KEY = 'sign_in';
/** Error codes with which providers report that a player canceled; the second is Apple's. */
const CANCELLED = ['access_denied', 'user_cancelled_authorize'];

export function keepFlow(flow: Flow): void {
  save(KEY, flow, 'session');
}

/** Interprets the address query for a player who went to a provider from this tab. Pure. */
export function backOf(query: string, flow: Flow | null): Back {
  const told = new URLSearchParams(query);
  const [code, iss] = [told.get('code'), told.get('iss')];
  if (!flow || told.get('state') !== flow.state) return { flow: null, refused: 'stray' };
  if (CANCELLED.includes(told.get('error') ?? '')) return { flow, refused: 'cancelled' };
  if (!code || told.has('error')) return { flow, refused: 'failed' };
  return { flow, finish: { code, state: flow.state, secret: flow.secret, ...(iss && { iss }) } };
}

/** The same for the address that opened the page. The query is removed at once, including from the history,
 * and the stored data can be used only once. */
export function takeBack(
  from: Pick<Location, 'search' | 'pathname'> = location,
  past: Pick<History, 'replaceState' | 'state'> = history,
): Back {
  const back = backOf(from.search, load<Flow | null>(KEY, null, 'session'));
  if (back.flow) save(KEY, null, 'session');
  past.replaceState(past.state, '', from.pathname);
  return back;
}
