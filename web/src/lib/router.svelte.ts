/* The address that is shown now; addresses.ts says which page that is. */

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
