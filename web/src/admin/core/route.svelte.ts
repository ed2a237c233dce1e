/* The current address with its query: a list keeps its filters there, so that the link can be shared. */

class Route {
  #url = $state.raw(new URL(location.href));

  constructor() {
    addEventListener('popstate', () => {
      this.#url = new URL(location.href);
    });
  }

  get path(): string {
    return this.#url.pathname;
  }

  get query(): URLSearchParams {
    return this.#url.searchParams;
  }

  go(to: string): void {
    const url = new URL(to, location.href);
    if (url.href === this.#url.href) return;
    history.pushState(null, '', url);
    if (url.pathname !== this.#url.pathname) scrollTo(0, 0);
    this.#url = url;
  }

  /** For links: the page handles a plain click, and the browser any other. */
  link = (event: MouseEvent): void => {
    if (event.button !== 0 || event.ctrlKey || event.metaKey || event.shiftKey || event.defaultPrevented)
      return;
    event.preventDefault();
    this.go((event.currentTarget as HTMLAnchorElement).href);
  };
}

export const route = new Route();
