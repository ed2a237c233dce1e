/* A page's connection to a table, either a live table on the server or one that the engine plays in this
 * browser (lib/local). Both use the frames of the protocol. */
import type { Command, Connection, Reply, ServerFrame } from '@rummyd/client';

/** Receiver of a connection's frames and state. */
export interface ConnectionReceiver {
  frame(frame: ServerFrame): void;
  status(status: Connection): void;
}

export interface TableConnection {
  /** Number of connections so far. */
  readonly connections: number;
  /** The first frame arrives after this call has returned. */
  start(): void;
  /** Closes the connection for good. There are no callbacks afterward. */
  stop(): void;
  /** Called if the player wants the table in this window. */
  resume(): void;
  /** base: the version that the player saw. The events arrive before the reply. */
  send(command: Command, base: number | undefined): Promise<Reply>;
}

export type OpenConnection = (end: ConnectionReceiver) => TableConnection;
