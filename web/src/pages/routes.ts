/* Which component draws each page. It is fetched when the page is first asked for. */
import type { Component } from 'svelte';
import type { Page } from '$lib/addresses';
import { language } from '$lib/messages/language.svelte';
import { ticketAhead } from '$lib/table/tickets';

type Props = Record<string, unknown>;
type Loaded<P extends Props> = () => Promise<{ default: Component<P> }>;

/** Where a page stands: `bare` needs no session, `table` has the window for itself, `page` stands below the header, and so
 * does `open`, which strangers see, too, without one. */
export type Frame = 'bare' | 'table' | 'page' | 'open';

export interface Route {
  frame: Frame;
  load(): Promise<Component<Props>>;
  props: Props;
}

/** Where most visits begin: all that is said there comes first (scripts/messages/said.ts). */
function early<P extends Props>(frame: Frame, loaded: Loaded<P>, props: P): Route {
  return { frame, load: async () => (await loaded()).default as Component<Props>, props };
}

function route<P extends Props>(frame: Frame, loaded: Loaded<P>, props: P): Route {
  const whole = async () => (await Promise.all([loaded(), language.all()]))[0];
  return early(frame, whole, props);
}

const bare = (loaded: Loaded<Record<string, never>>) => route('bare', loaded, {});
const open = (loaded: Loaded<Record<string, never>>) => route('open', loaded, {});
const plain = (loaded: Loaded<Record<string, never>>) => route('page', loaded, {});

const PLAIN = {
  verify: bare(() => import('./Verify.svelte')),
  reset: bare(() => import('./Reset.svelte')),
  undo: bare(() => import('./Undo.svelte')),
  unlock: bare(() => import('./Unlock.svelte')),
  forgot: bare(() => import('./Forgot.svelte')),
  'sign-in': bare(() => import('./SignIn.svelte')),
  rules: bare(() => import('./RulesPage.svelte')),
  home: early('page', () => import('./Lobby.svelte'), {}),
  daily: open(() => import('./Daily.svelte')),
  wallet: plain(() => import('./Wallet.svelte')),
  games: plain(() => import('./Games.svelte')),
  shop: plain(() => import('./Shop.svelte')),
  leaderboards: open(() => import('./Leaderboards.svelte')),
  leagues: open(() => import('./Leagues.svelte')),
  tournaments: open(() => import('./Tournaments.svelte')),
  clubs: open(() => import('./Clubs.svelte')),
  friends: plain(() => import('./Friends.svelte')),
  invites: route('page', () => import('./Invites.svelte'), {}),
  notifications: plain(() => import('./Notifications.svelte')),
  account: plain(() => import('./Account.svelte')),
  learn: route('bare', () => import('./Learn.svelte'), {}),
  practice: route('bare', () => import('./Practice.svelte'), {}),
  replay: route('bare', () => import('./Replay.svelte'), {}),
  unknown: route('open', () => import('./Unknown.svelte'), {}),
} as const;

/** me: the player's own number. */
export function routeOf(page: Page, me: string): Route {
  switch (page.name) {
    case 'table':
      return early('table', () => import('./Table.svelte'), { id: page.id });
    case 'watch':
      return early('table', () => import('./Table.svelte'), { id: page.id, watch: true, code: page.code });
    case 'game':
      return route('open', () => import('./Game.svelte'), { id: page.id });
    case 'game-replay':
      return route('bare', () => import('./Replay.svelte'), { id: page.id });
    case 'embed':
      return route('bare', () => import('./Replay.svelte'), { id: page.id, embedded: true });
    case 'player':
      return route('open', () => import('./Player.svelte'), { id: page.id });
    case 'profile':
      return route('page', () => import('./Player.svelte'), { id: me });
    case 'guide':
      return route('bare', () => import('./Learn.svelte'), { variant: page.id });
    case 'rulebook':
      return route('bare', () => import('./RulesPage.svelte'), { variant: page.id });
    case 'tournament':
      return route('open', () => import('./Tournament.svelte'), { id: page.id });
    case 'club':
      return route('open', () => import('./Club.svelte'), { id: page.id });
    case 'join':
      return route('open', () => import('./Join.svelte'), { code: page.id });
    case 'invite':
      return route('page', () => import('./Invites.svelte'), { code: page.id });
    default:
      return PLAIN[page.name];
  }
}

/** Drawn without a session and without a server: all that they show is in the page or in the engine. */
export function needsNobody(page: Page): boolean {
  return ['learn', 'guide', 'practice', 'rules', 'rulebook', 'replay'].includes(page.name);
}

/** Whether a page is shown to nobody but players. */
export const needsPlayer = ({ frame }: Route): boolean => frame === 'page' || frame === 'table';

/** For whoever has no session, in place of a page that needs one. */
export function entrance(page: Page, onback?: () => void): Route {
  return early('page', () => import('./Enter.svelte'), { page, ...(onback && { onback }) });
}

/** Fetches what the address will show, before it can be drawn; inside: somebody is logged in. What fails here is fetched again. */
export function first(page: Page, inside: boolean): void {
  const route = routeOf(page, '');
  const shown = inside || !needsPlayer(route) ? route : entrance(page);
  void shown.load().catch(() => undefined);
  if (inside && page.name === 'table') ticketAhead(page.id);
}

/** Fetches what is likely opened next, so that the click waits for nothing; one that fails is fetched again when it is asked for. */
export function ahead(): void {
  const fetch = () => void Promise.allSettled([import('./Lobby.svelte'), import('./Table.svelte')]);
  if ('requestIdleCallback' in window) requestIdleCallback(fetch);
  else setTimeout(fetch, 1000);
}
