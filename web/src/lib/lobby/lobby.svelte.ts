/* The lobby's socket, one for the whole page: open while anything of the page wants it (the header does, so all
 * pages but the table), its picture as it changes, and who else listens to its frames. */
import { api, idempotencyKey, need, type ApiError } from '$lib/api/client';
import { LiveSocket, type Connection, type ServerFrame, type WireFriend } from '@rummyd/client';
import { changed, whole, type Picture } from './picture';

class Lobby {
  picture = $state.raw<Picture | null>(null);
  /** Friends who are about just now. */
  friends = $state.raw<WireFriend[]>([]);
  connection = $state<Connection>('connecting');
  private users = 0;
  private readonly listeners = new Set<(frame: ServerFrame) => void>();
  private readonly socket = new LiveSocket({
    address: () => this.address(),
    frame: (frame) => this.receive(frame),
    status: (status) => (this.connection = status),
  });
  /** A player has one lobby socket, the newest; a window that is looked at again takes it back. */
  private readonly seen = () => {
    if (document.visibilityState === 'visible' && this.connection === 'replaced') this.socket.resume();
  };

  /** Opens it for whoever is first, until the last one has called what this answers. */
  start(): () => void {
    if (this.users++ === 0) {
      this.socket.start();
      document.addEventListener('visibilitychange', this.seen);
    }
    return () => {
      if (--this.users > 0) return;
      this.socket.stop();
      this.picture = null;
      this.friends = [];
      document.removeEventListener('visibilitychange', this.seen);
    };
  }

  /** `tell` gets every frame, until the function that this answers is called. */
  listen(tell: (frame: ServerFrame) => void): () => void {
    this.listeners.add(tell);
    return () => this.listeners.delete(tell);
  }

  private async address() {
    try {
      return await need(api.POST('/v1/lobby/tickets', { params: { header: idempotencyKey() } }));
    } catch (error) {
      const fatal = [401, 403, 404].includes((error as ApiError).status);
      throw Object.assign(new Error((error as ApiError).code), { fatal });
    }
  }

  private receive(frame: ServerFrame): void {
    if (frame.t === 'lobby') this.picture = whole(frame.d);
    if (frame.t === 'friends') this.friends = frame.d.items;
    if (frame.t === 'lobby_changed' && this.picture) this.picture = changed(this.picture, frame.d);
    for (const tell of this.listeners) tell(frame);
  }
}

export const lobby = new Lobby();
