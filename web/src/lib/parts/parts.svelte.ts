/* Parts of the page that are loaded on demand. If a part fails to load, it waits for the player to retry,
 * so that nothing remains broken. App shows parts.state with a button (lib/nav/PartsBar.svelte). */

/** How a failed part can recover: by a retry, or only by a reload, because the browser caches the failure
 * (Chromium 150 never retries a failed module, Chromium 156 does) or the server has a newer version of the
 * page. */
type State = 'fine' | 'failed' | 'kept' | 'updated';

/** Version on the server: this one, a newer one, or no response. */
type Served = 'same' | 'newer' | 'nothing';

/** The scripts of a document, whose names change with every build. */
const scripts = (html: Document) =>
  [...html.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')).join(' ');

async function served(): Promise<Served> {
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return 'nothing';
    const newest = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return scripts(newest) !== '' && scripts(newest) !== scripts(document) ? 'newer' : 'same';
  } catch {
    return 'nothing';
  }
}

class Parts {
  state = $state<State>('fine');
  private waiting: (() => void)[] = [];

  constructor(private readonly look: () => Promise<Served> = served) {}

  /** Resolves when the part is loaded, after as many retries as the player makes; it never rejects. */
  readonly part = async <T>(load: () => Promise<T>): Promise<T> => {
    for (let tries = 1; ; tries++)
      try {
        return await load();
      } catch {
        await this.again(tries);
      }
  };

  /** The player, or a restored connection, retries everything that failed. */
  readonly retry = (): void => {
    this.state = 'fine';
    for (const go of this.waiting.splice(0)) go();
  };

  /** Called if the engine or a worker could not be loaded; the component that uses it reports the failure
   * and retries. The player must reload if the server has a newer version of the page. again: a retry
   * failed, too, perhaps because the browser caches the failure. */
  readonly lost = (again = false): void => {
    void this.look().then((served) => {
      if (served === 'newer') this.state = 'updated';
      if (served === 'same' && again && this.state === 'fine') this.state = 'kept';
    });
  };

  private again(tries: number): Promise<void> {
    if (this.state === 'fine') {
      this.state = 'failed';
      void this.look().then((served) => {
        if (this.state !== 'failed') return;
        if (served === 'newer') this.state = 'updated';
        if (served === 'same' && tries > 1) this.state = 'kept';
      });
    }
    return new Promise((go) => this.waiting.push(go));
  }
}

export { Parts };
export const parts = new Parts();
export const { part } = parts;
