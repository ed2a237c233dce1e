import type { Card } from './types.js';

/** The engine rejected a call, and nothing has changed. */
export class EngineError extends Error {
  override name = 'EngineError';
  /** For a rejected move a code of the rules; otherwise what was wrong with the call. */
  readonly code: string;
  /** The cards concerned. */
  readonly cards: Card[];
  /** Line at which a record cannot be read, from 1. */
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

/** A bug of the engine itself: it stops, and must be loaded again. */
export class EngineFault extends Error {
  override name = 'EngineFault';
}
