/* When a line that was lost is back: what was fetched before is old then, and what was asked for meanwhile has failed. */
import type { Connection } from '@rummyd/client';

/** Of these the server or the player is the cause, and nothing comes back by itself. */
const ENDS: readonly Connection[] = ['replaced', 'left', 'given_up', 'refused'];

export class Returns {
  /** It was open, and is not. */
  lost = false;
  private wasOpen = false;
  private readonly works = new Set<() => void>();

  /** `work` is done at each return, until the function that this answers is called. */
  listen(work: () => void): () => void {
    this.works.add(work);
    return () => this.works.delete(work);
  }

  status(status: Connection): void {
    const back = status === 'open' && this.lost;
    this.lost = this.wasOpen && status !== 'open' && !ENDS.includes(status);
    this.wasOpen = this.wasOpen || status === 'open';
    if (back) for (const work of this.works) work();
  }

  /** The line was closed on purpose. */
  forget(): void {
    this.lost = this.wasOpen = false;
  }
}

/** Those of the lobby's line, which tells them; a list hears them to ask again for what failed. */
export const returns = new Returns();
