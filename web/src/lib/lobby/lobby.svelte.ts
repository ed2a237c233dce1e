/* The lobby's socket for a page: open while the page is shown, its picture as it changes. */
import { api, idempotencyKey, need, type ApiError } from '$lib/api/client';
import type { ServerFrame, WireFriend } from '$lib/table/protocol';
import { TableSocket, type Connection } from '$lib/table/socket';
import { changed, whole, type Picture } from './picture';

export class Lobby {
  picture = $state.raw<Picture | null>(null);
  /** Friends who are about just now. */
  friends = $state.raw<WireFriend[]>([]);
  connection = $state<Connection>('connecting');
  private readonly socket = new TableSocket({
    address: () => this.address(),
    version: () => null,
    frame: (frame) => this.receive(frame),
    status: (status) => (this.connection = status),
  });

  start(): () => void {
    this.socket.start();
    return () => this.socket.stop();
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
  }
}
