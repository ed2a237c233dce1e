/* How a socket is opened, at once or before there is anybody to play on it. */

export interface SocketAddress {
  ws_url: string;
  ticket: string;
  /** Opened with this ticket, which is good for one. */
  ahead?: SocketAhead;
}

/** Nobody plays on it by then: it is closed, for the table believes its player there. */
const AHEAD_MS_MAX = 15_000;

export function socketUrl(address: string, v: number | null): string {
  const url = new URL(address);
  if (v !== null) url.searchParams.set('v', String(v));
  return url.href;
}

/** v: the last version that was told, null before a snapshot. The ticket is offered as a subprotocol: addresses are logged
 * on the way. */
export function openSocket({ ws_url, ticket }: SocketAddress, v: number | null): WebSocket {
  return new WebSocket(socketUrl(ws_url, v), ['rummy.v1', `ticket.${ticket}`]);
}

/** Keeps what it hears for whoever takes it over. */
export class SocketAhead {
  private readonly socket: WebSocket;
  private readonly heard: string[] = [];
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(address: SocketAddress) {
    this.socket = openSocket(address, null);
    this.socket.onmessage = ({ data }) => this.heard.push(data as string);
    this.timer = setTimeout(() => this.socket.close(1000), AHEAD_MS_MAX);
  }

  /** The socket with the frames that came already; null if it is closed again. */
  take(): { socket: WebSocket; heard: string[] } | null {
    clearTimeout(this.timer);
    const { readyState } = this.socket;
    const lives = readyState === WebSocket.OPEN || readyState === WebSocket.CONNECTING;
    return lives ? { socket: this.socket, heard: this.heard } : null;
  }
}
