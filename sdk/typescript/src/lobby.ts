/* The lobby: its socket, and the state built from its frames, which send the full state first and then
 * changes. */
import type {
  LobbyGame,
  LobbyRoom,
  LobbyTable,
  ServerFrame,
  WireFriend,
  WireLobby,
  WireLobbyChange,
} from './protocol.js';
import { idempotencyKey, need, type Rest } from './rest.js';
import { LiveSocket, noTicket, type Connection } from './socket.js';

export interface Picture {
  rooms: LobbyRoom[];
  /** Games with players. */
  games: LobbyGame[];
  tables: LobbyTable[];
  online: number;
  playing: number;
}

function put<T extends { id: string }>(old: readonly T[], news: readonly T[]): T[] {
  const kept = old.map((o) => news.find((n) => n.id === o.id) ?? o);
  return [...kept, ...news.filter((n) => !old.some((o) => o.id === n.id))];
}

/** Waiting tables come first, then the newest. */
function ordered(tables: LobbyTable[]): LobbyTable[] {
  const waits = (t: LobbyTable) => (t.state === 'waiting' ? 0 : 1);
  return tables.sort((a, b) => waits(a) - waits(b) || Number(b.id) - Number(a.id));
}

export function whole({ rooms, games, tables, online, playing }: WireLobby): Picture {
  return { rooms, games, tables: ordered([...tables]), online, playing };
}

export function changed(old: Picture, news: WireLobbyChange): Picture {
  const tables = put(old.tables, news.tables).filter((t) => !news.gone.includes(t.id));
  const { games = old.games, online, playing } = news;
  return { rooms: put(old.rooms, news.rooms), games, tables: ordered(tables), online, playing };
}

/** A player has only one lobby socket, the newest one; `resume` takes it back. */
export class Lobby {
  picture: Picture | null = null;
  /** Friends who are online. */
  friends: WireFriend[] = [];
  private readonly socket: LiveSocket;

  /** heard: receives every frame after it has been processed. status: receives the state of the
   * connection. */
  constructor(
    private readonly rest: Rest,
    private readonly heard: (frame: ServerFrame) => void = () => undefined,
    status: (status: Connection) => void = () => undefined,
  ) {
    this.socket = new LiveSocket({
      address: (signal) => this.address(signal),
      frame: (frame) => this.frame(frame),
      status,
    });
  }

  start(): void {
    this.socket.start();
  }

  resume(): void {
    this.socket.resume();
  }

  stop(): void {
    this.socket.stop();
    this.picture = null;
    this.friends = [];
  }

  private async address(signal: AbortSignal) {
    try {
      const params = { header: idempotencyKey() };
      return await need(this.rest.POST('/v1/lobby/tickets', { params, signal }));
    } catch (error) {
      throw noTicket(error);
    }
  }

  private frame(frame: ServerFrame): void {
    if (frame.t === 'lobby') this.picture = whole(frame.d);
    if (frame.t === 'friends') this.friends = frame.d.items;
    if (frame.t === 'lobby_changed' && this.picture) this.picture = changed(this.picture, frame.d);
    this.heard(frame);
  }
}
