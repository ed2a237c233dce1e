/* The lobby's socket, one for the whole page: open while any part of the page needs it (the header does, so
 * on all pages except the table), with its state and subscribers to its frames. */
import { api } from '$lib/api/client';
import {
  Lobby as Live,
  type Connection,
  type Picture,
  type ServerFrame,
  type WireFriend,
} from '@rummyd/client';
import { returns } from '$lib/ui/returns';

class Lobby {
  picture = $state.raw<Picture | null>(null);
  /** Friends who are online. */
  friends = $state.raw<WireFriend[]>([]);
  connection = $state<Connection>('connecting');
  /** The connection is lost: the shown state is stale. */
  stale = $state(false);
  private users = 0;
  private readonly listeners = new Set<(frame: ServerFrame) => void>();
  private readonly live = new Live(
    api,
    (frame) => this.receive(frame),
    (status) => this.connected(status),
  );
  /** A player has one lobby socket, the newest; a window that becomes visible takes it back. */
  private readonly seen = () => {
    if (document.visibilityState === 'visible' && this.connection === 'replaced') this.live.resume();
  };

  /** Opens it for the first user, until the last one has called the returned function. */
  start(): () => void {
    if (this.users++ === 0) {
      this.live.start();
      document.addEventListener('visibilitychange', this.seen);
    }
    return () => {
      if (--this.users > 0) return;
      this.live.stop();
      this.picture = null;
      this.friends = [];
      this.stale = false;
      returns.forget();
      document.removeEventListener('visibilitychange', this.seen);
    };
  }

  /** `tell` gets every frame, until the returned function is called. */
  listen(tell: (frame: ServerFrame) => void): () => void {
    this.listeners.add(tell);
    return () => this.listeners.delete(tell);
  }

  /** `work` runs after each reconnection, until the returned function is called. */
  onreturn(work: () => void): () => void {
    return returns.listen(work);
  }

  private connected(status: Connection): void {
    this.connection = status;
    returns.status(status);
    this.stale = returns.lost;
  }

  private receive(frame: ServerFrame): void {
    this.picture = this.live.picture;
    this.friends = this.live.friends;
    for (const tell of this.listeners) tell(frame);
  }
}

export const lobby = new Lobby();
