/* The lobby's socket, its state, and the subscribers to its frames. The whole page shares one socket, which
 * is open while any part of the page needs it (the header does, so it is open on all pages except the
 * table). */
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
  /** The connection is lost, so the displayed state is stale. */
  stale = $state(false);
  private users = 0;
  private readonly listeners = new Set<(frame: ServerFrame) => void>();
  private readonly live = new Live(
    api,
    (frame) => this.receive(frame),
    (status) => this.connected(status),
  );
  /** A player has only one lobby socket, the newest one. A window that becomes visible takes it back. */
  private readonly seen = () => {
    if (document.visibilityState === 'visible' && this.connection === 'replaced') this.live.resume();
  };

  /** Opens the socket for the first caller. It closes when the last caller has called the returned
   * function. */
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

  /** `tell` receives every frame until the returned function is called. */
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
