/* The component of each page. It is loaded when the page is first requested. */
import type { Component } from 'svelte';
import type { Page } from '$lib/addresses';
import { whenIdle } from '$lib/idle';
import { language } from '$lib/messages/language.svelte';

type Props = Record<string, unknown>;
type Loaded<P extends Props> = () => Promise<{ default: Component<P> }>;

/** Where a page is drawn: `bare` needs no session, `table` has the whole window, `page` is below the
 * header, and so is `open`, which visitors also see, but without the header. */
export type Frame = 'bare' | 'table' | 'page' | 'open';

export interface Route {
  frame: Frame;
  load(): Promise<Component<Props>>;
  props: Props;
}

/** The frame around a player's pages: visitors without an account do not load it. */
export const top = () => import('$lib/nav/Top.svelte');
export const bottom = () => import('$lib/nav/BottomBar.svelte');

/** Whether the frame surrounds this page once the player is signed in. */
export const isFramed = ({ frame }: Route): boolean => frame === 'page' || frame === 'open';

/** said: loads the texts of the page, in addition to those of the sign-in page. */
function route<P extends Props>(
  frame: Frame,
  loaded: Loaded<P>,
  props: P,
  said = () => language.all(),
): Route {
  const load = async () => (await Promise.all([loaded(), said()]))[0].default as Component<Props>;
  return { frame, load, props };
}

/** Pages where most visits begin, whose texts are loaded first (scripts/messages/message-use.ts). */
function early<P extends Props>(frame: Frame, loaded: Loaded<P>, props: P): Route {
  return route(frame, loaded, props, () => language.inside());
}

const bare = <P extends Props>(loaded: Loaded<P>) => route('bare', loaded, {} as P);
const open = <P extends Props>(loaded: Loaded<P>) => route('open', loaded, {} as P);
const plain = <P extends Props>(loaded: Loaded<P>) => route('page', loaded, {} as P);

/* Pages with several addresses. Each is imported only once, because every import of a file adds to the
 * first script. */
const table = () => import('./Table.svelte');
const replay = () => import('./Replay.svelte');
const player = () => import('./Player.svelte');
const learn = () => import('./Learn.svelte');
const lessons = () => import('./Lessons.svelte');
const rules = () => import('./RulesPage.svelte');
const puzzles = () => import('./Puzzles.svelte');
const invites = () => import('./Invites.svelte');
const lobby = () => import('./Lobby.svelte');
const emailLink = () => import('./EmailLink.svelte');

const PLAIN = {
  verify: route('bare', emailLink, { kind: 'verify' }),
  reset: bare(() => import('./Reset.svelte')),
  undo: route('bare', emailLink, { kind: 'undo' }),
  unlock: route('bare', emailLink, { kind: 'unlock' }),
  forgot: bare(() => import('./Forgot.svelte')),
  'sign-in': bare(() => import('./SignIn.svelte')),
  rules: bare(rules),
  home: early('page', lobby, {}),
  daily: open(() => import('./Daily.svelte')),
  puzzles: open(puzzles),
  wallet: plain(() => import('./Wallet.svelte')),
  games: plain(() => import('./Games.svelte')),
  week: plain(() => import('./Week.svelte')),
  shop: plain(() => import('./Shop.svelte')),
  leaderboards: open(() => import('./Leaderboards.svelte')),
  leagues: open(() => import('./Leagues.svelte')),
  tournaments: open(() => import('./Tournaments.svelte')),
  clubs: open(() => import('./Clubs.svelte')),
  friends: plain(() => import('./Friends.svelte')),
  invites: plain(invites),
  notifications: plain(() => import('./Notifications.svelte')),
  account: plain(() => import('./Account.svelte')),
  learn: bare(learn),
  lessons: bare(lessons),
  practice: bare(() => import('./Practice.svelte')),
  replay: bare(replay),
  unknown: open(() => import('./Unknown.svelte')),
} as const;

/** me: the player's id. */
export function routeOf(page: Page, me: string): Route {
  switch (page.name) {
    case 'table':
      return early('table', table, { id: page.id });
    case 'watch':
      return early('table', table, { id: page.id, watch: true, code: page.code });
    case 'game':
      return route('open', () => import('./Game.svelte'), { id: page.id });
    case 'game-replay':
      return route('bare', replay, { id: page.id });
    case 'ghost':
      return route('bare', () => import('./Ghost.svelte'), { id: page.id });
    case 'embed':
      return route('bare', replay, { id: page.id, embedded: true });
    case 'player':
      return route('open', player, { id: page.id });
    case 'profile':
      return route('page', player, { id: me });
    case 'guide':
      return route('bare', learn, { variant: page.id });
    case 'path':
      return route('bare', lessons, { variant: page.id });
    case 'lesson':
      return route('bare', learn, { variant: page.id, lesson: page.lesson });
    case 'rulebook':
      return route('bare', rules, { variant: page.id });
    case 'puzzle':
      return route('bare', puzzles, { id: page.id });
    case 'sheet':
      return route('bare', rules, { variant: page.id, sheet: true });
    case 'tournament':
      return route('open', () => import('./Tournament.svelte'), { id: page.id });
    case 'club':
      return route('open', () => import('./Club.svelte'), { id: page.id });
    case 'join':
      return route('open', () => import('./Join.svelte'), { code: page.id });
    case 'invite':
      return route('page', invites, { code: page.id });
    default:
      return PLAIN[page.name];
  }
}

/** Whether the page is drawn without a session and without a server, because all of its contents are in the
 * page or the engine. */
export function needsNobody(page: Page): boolean {
  return /^(learn|guide|lessons?|path|practice|rules|rulebook|sheet|replay)$/.test(page.name);
}

/** Whether only players see a page. */
export const needsPlayer = ({ frame }: Route): boolean => frame === 'page' || frame === 'table';

/** Shown to visitors without a session in place of a page that needs one. */
export function entrance(page: Page, onback?: () => void): Route {
  return route(
    'page',
    () => import('./Enter.svelte'),
    { page, ...(onback && { onback }) },
    async () => undefined,
  );
}

/** Preloads the page at the address before it can be drawn. inside: whether a player is signed in. A failed
 * preload is retried when the page is needed. */
export function first(page: Page, inside: boolean): void {
  const route = routeOf(page, '');
  const shown = inside || !needsPlayer(route) ? route : entrance(page);
  void shown.load().catch(() => undefined);
  if (inside && isFramed(shown)) void Promise.allSettled([top(), bottom()]);
  if (inside && page.name === 'table')
    void import('$lib/table/tickets').then(({ ticketAhead }) => ticketAhead(page.id)).catch(() => undefined);
}

/** Preloads the pages that the player is likely to open next, so that they appear instantly. A failed
 * preload is retried when the page is needed. */
export function ahead(): void {
  whenIdle(
    () =>
      void Promise.allSettled([
        lobby(),
        table(),
        top(),
        bottom(),
        import('$lib/account/CredentialFields.svelte'),
      ]),
  );
}
