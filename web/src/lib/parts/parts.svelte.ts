/* Parts of the page that are fetched when they are needed. One that does not arrive waits for the player to try again, so
 * that nothing stays dead: App shows parts.state with a button (lib/nav/PartsBar.svelte). */

/** How a failed part can come: by trying again, or only by a reload, because the server has a newer version of the page. */
type State = 'fine' | 'failed' | 'updated';

/** The scripts of a document, whose names change with every build. */
const scripts = (html: Document) =>
  [...html.querySelectorAll('script[src]')].map((script) => script.getAttribute('src')).join(' ');

async function isUpdated(): Promise<boolean> {
  try {
    const answer = await fetch('/', { cache: 'no-store' });
    if (!answer.ok) return false;
    const newest = new DOMParser().parseFromString(await answer.text(), 'text/html');
    return scripts(newest) !== '' && scripts(newest) !== scripts(document);
  } catch {
    return false; // no connection
  }
}

class Parts {
  state = $state<State>('fine');
  private waiting: (() => void)[] = [];

  constructor(private readonly updated: () => Promise<boolean> = isUpdated) {}

  /** Resolves when the part is here, after as many tries as the player makes; it never rejects. */
  readonly part = async <T>(load: () => Promise<T>): Promise<T> => {
    for (;;)
      try {
        return await load();
      } catch {
        await this.again();
      }
  };

  /** The player, or a connection that is back, tries all that failed again. */
  readonly retry = (): void => {
    this.state = 'fine';
    for (const go of this.waiting.splice(0)) go();
  };

  private again(): Promise<void> {
    if (this.state === 'fine') {
      this.state = 'failed';
      void this.updated().then((updated) => {
        if (updated && this.state === 'failed') this.state = 'updated';
      });
    }
    return new Promise((go) => this.waiting.push(go));
  }
}

export { Parts };
export const parts = new Parts();
export const { part } = parts;
