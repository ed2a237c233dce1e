/* What a table of the page is connected to: a live table of the server, or one that the engine plays in this browser
 * (lib/local). Both speak the frames of the protocol. */
import type { Command, Connection, Reply, ServerFrame } from '@rummyd/client';

/** Whom a line tells. */
export interface LineEnd {
  frame(frame: ServerFrame): void;
  status(status: Connection): void;
}

export interface TableLine {
  /** How many connections there were. */
  readonly connections: number;
  /** The first frame comes later, never within the call. */
  start(): void;
  /** Ends it for good; nothing is told afterwards. */
  stop(): void;
  /** The player wants the table here, and now. */
  resume(): void;
  /** base: the version that the player saw. The events come before the reply. */
  send(command: Command, base: number | undefined): Promise<Reply>;
}

export type OpenLine = (end: LineEnd) => TableLine;
