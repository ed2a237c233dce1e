/* The current address; addresses.ts maps it to a page. */

import { MOVED } from './pages-known';

const led = (path: string) => MOVED[path.replace(/\/+$/, '')] ?? path;

class Router {
  path = $state('');

  constructor() {
    this.arrive();
    addEventListener('popstate', () => this.arrive());
  }

  /** The browser navigated to an address. */
  private arrive(): void {
    this.path = led(location.pathname);
    if (this.path !== location.pathname) history.replaceState(null, '', this.path);
  }

  go(to: string, replace = false): void {
    const [address = '', query] = to.split('?');
    const path = led(address);
    if (path === this.path) return;
    history[replace ? 'replaceState' : 'pushState'](null, '', query ? `${path}?${query}` : path);
    this.path = path;
    scrollTo(0, 0);
  }

  /** For links: a plain click is handled by the page, any other by the browser. */
  link = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
      return;
    const target = event.currentTarget as HTMLAnchorElement;
    event.preventDefault();
    const { pathname, search } = new URL(target.href);
    this.go(pathname + search);
  };
}

export const router = new Router();
