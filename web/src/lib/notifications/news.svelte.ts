/* The player's notifications: the list, the unread count, and new ones from the lobby. */
import { api, need } from '$lib/api/client';
import { session } from '$lib/api/session.svelte';
import { lobby } from '$lib/lobby/lobby.svelte';
import type { ServerFrame } from '@rummyd/client';
import { Paged } from '$lib/ui/paged.svelte';
import { readUpTo, withNew, type Notification } from './sentences';

const LIMIT = 50; // above this number the count is "50+"

class News {
  readonly list = new Paged<Notification>((query) =>
    need(api.GET('/v1/notifications', { params: { query: { ...query, limit: LIMIT } } })),
  );
  /** The notification that has just arrived. */
  latest = $state.raw<Notification | null>(null);
  unread = $derived(this.list.items.filter((n) => !n.read).length);
  /** Counted on the first page only. Unread ones come first, so "50+" means that the whole page is
   * unread. */
  count = $derived(this.unread >= LIMIT ? `${LIMIT}+` : String(this.unread));
  private pictures = 0;
  private player = '';

  /** Listens until the returned function is called. Discards the notifications of another player. */
  start(player: string): () => void {
    this.pictures = lobby.picture ? 1 : 0; // the first state has already arrived if the socket was opened earlier
    void this.list.first(player !== this.player);
    this.player = player;
    const deaf = lobby.listen((frame) => this.receive(frame));
    const shut = lobby.start();
    return () => {
      deaf();
      shut();
      this.latest = null;
    };
  }

  /** Marks as read up to the newest known one, or up to `id`. */
  async read(id = this.list.items[0]?.id): Promise<void> {
    if (id === undefined) return;
    await need(api.PUT('/v1/notifications/read-mark', { body: { up_to: id } }));
    this.list.items = readUpTo(this.list.items, id);
  }

  private receive(frame: ServerFrame): void {
    /* The server sends the full lobby state on each connection. After a reconnection, notifications may
     * have been missed. */
    if (frame.t === 'lobby' && this.pictures++ > 0) void this.list.first();
    if (frame.t !== 'notification') return;
    const before = this.list.items.length;
    this.list.items = withNew(this.list.items, frame.d as Notification);
    if (this.list.items.length === before) return; // already in the list
    this.latest = this.list.items[0] ?? null;
    void session.reload().catch(() => undefined); // most of them come with chips or levels
  }
}

export const news = new News();
