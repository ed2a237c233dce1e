/* The page's own addresses: /, /rooms, /tables, /join/{code}, /table/{id}, /watch/{id}, /watch/{id}/{code}, /wallet, /shop, /games, /games/{id},
 * /leaderboards, /leagues, /profile, /players/{id}. */

class Router {
  path = $state(location.pathname);

  constructor() {
    addEventListener('popstate', () => {
      this.path = location.pathname;
    });
  }

  go(path: string, replace = false): void {
    if (path === this.path) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', path);
    this.path = path;
    scrollTo(0, 0);
  }

  /** For links: a plain click stays in the page, any other does what the browser does. */
  link = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
      return;
    const target = event.currentTarget as HTMLAnchorElement;
    event.preventDefault();
    this.go(new URL(target.href).pathname);
  };
}

export const router = new Router();

const PLAIN = ['rooms', 'tables', 'wallet', 'games', 'shop', 'leaderboards', 'leagues', 'profile'] as const;

export type Page =
  | { name: 'home' | 'unknown' | (typeof PLAIN)[number] }
  | { name: 'table' | 'game' | 'join' | 'player'; id: string }
  | { name: 'watch'; id: string; code: string };

export function pageOf(path: string): Page {
  const [, name = '', id, code = ''] = path.replace(/\/+$/, '').split('/');
  if (name === '') return { name: 'home' };
  if (name === 'table' && id && /^\d+$/.test(id)) return { name: 'table', id };
  if (name === 'watch' && id && /^\d+$/.test(id)) return { name: 'watch', id, code };
  if (name === 'games' && id && /^\d+$/.test(id)) return { name: 'game', id };
  if (name === 'join' && id && /^\w+$/.test(id)) return { name: 'join', id };
  if (name === 'players' && id && /^\d+$/.test(id)) return { name: 'player', id };
  const plain = PLAIN.find((known) => known === name);
  return plain && id === undefined ? { name: plain } : { name: 'unknown' };
}
