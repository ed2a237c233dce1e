import type { Card } from './types.js';

/** The engine rejected a call, and nothing has changed. */
export class EngineError extends Error {
  override name = 'EngineError';
  /** For a rejected move, a code of the rules; otherwise, the fault of the call. */
  readonly code: string;
  /** The cards that caused the error. */
  readonly cards: Card[];
  /** Line at which a record is unreadable, from 1. */
  readonly line: number | undefined;
  readonly column: number | undefined;

  constructor(said: { code: string; text: string; cards?: Card[]; line?: number; column?: number }) {
    super(said.text);
    this.code = said.code;
    this.cards = said.cards ?? [];
    this.line = said.line;
    this.column = said.column;
  }
}

/** A bug in the engine itself, which has stopped and must be loaded again. */
export class EngineFault extends Error {
  override name = 'EngineFault';
}
