/* Reports reconnections, after which earlier data is stale and requests made meanwhile have failed. */
import type { Connection } from '@rummyd/client';

/** Closed by the server or the player, so it does not reconnect by itself. */
const ENDS: readonly Connection[] = ['replaced', 'left', 'given_up', 'refused'];

export class Returns {
  /** Whether the connection was open and has been lost. */
  lost = false;
  private wasOpen = false;
  private readonly works = new Set<() => void>();

  /** `work` runs after each reconnection, until the returned function is called. */
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

  /** Called when the connection is closed intentionally. */
  forget(): void {
    this.lost = this.wasOpen = false;
  }
}

/** Reconnections of the lobby socket, which reports them. Lists retry failed requests after a
 * reconnection. */
export const returns = new Returns();
