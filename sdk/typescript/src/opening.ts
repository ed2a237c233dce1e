/* Opens a socket, at once or in advance of its use. */

export interface SocketAddress {
  ws_url: string;
  ticket: string;
  /** A socket that was opened with this ticket, which can be used only once. */
  ahead?: SocketAhead;
}

/** If no code takes the socket over within this time, it is closed, because the table treats the player as
 * connected. */
const AHEAD_MS_MAX = 15_000;

export function socketUrl(address: string, v: number | null): string {
  const url = new URL(address);
  if (v !== null) url.searchParams.set('v', String(v));
  return url.href;
}

/** v: the last version received, null before a snapshot. The ticket is passed as a subprotocol, because
 * proxies log URLs. */
export function openSocket({ ws_url, ticket }: SocketAddress, v: number | null): WebSocket {
  return new WebSocket(socketUrl(ws_url, v), ['rummy.v1', `ticket.${ticket}`]);
}

/** An open socket that buffers frames for the code that will take it over. */
export class SocketAhead {
  private readonly socket: WebSocket;
  private readonly heard: string[] = [];
  private readonly timer: ReturnType<typeof setTimeout>;

  constructor(address: SocketAddress) {
    this.socket = openSocket(address, null);
    this.socket.onmessage = ({ data }) => this.heard.push(data as string);
    this.timer = setTimeout(() => this.socket.close(1000), AHEAD_MS_MAX);
  }

  /** The socket with the frames received so far; null if it has closed again. */
  take(): { socket: WebSocket; heard: string[] } | null {
    clearTimeout(this.timer);
    const { readyState } = this.socket;
    const lives = readyState === WebSocket.OPEN || readyState === WebSocket.CONNECTING;
    return lives ? { socket: this.socket, heard: this.heard } : null;
  }
}
