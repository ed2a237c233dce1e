/* The connection of a table on the page: to a live table of the server, or to one that the engine plays in
 * this browser (lib/local). Both use the frames of the protocol. */
import type { Command, Connection, Reply, ServerFrame } from '@rummyd/client';

/** Receiver of a connection's frames and state. */
export interface ConnectionReceiver {
  frame(frame: ServerFrame): void;
  status(status: Connection): void;
}

export interface TableConnection {
  /** How many connections there were. */
  readonly connections: number;
  /** The first frame comes later, never within the call. */
  start(): void;
  /** Closes it for good; no callbacks afterwards. */
  stop(): void;
  /** The player wants the table in this window. */
  resume(): void;
  /** base: the version that the player saw. The events come before the reply. */
  send(command: Command, base: number | undefined): Promise<Reply>;
}

export type OpenConnection = (end: ConnectionReceiver) => TableConnection;
