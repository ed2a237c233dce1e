/* The address that is shown now; addresses.ts says which page that is. */

import { MOVED } from './pages-known';

const led = (path: string) => MOVED[path.replace(/\/+$/, '')] ?? path;

class Router {
  path = $state('');

  constructor() {
    this.arrive();
    addEventListener('popstate', () => this.arrive());
  }

  /** The browser stands at an address. */
  private arrive(): void {
    this.path = led(location.pathname);
    if (this.path !== location.pathname) history.replaceState(null, '', this.path);
  }

  go(to: string, replace = false): void {
    const path = led(to);
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
