import type { Card } from './types.js';

/** The engine did not do what it was asked for, and nothing has changed. */
export class EngineError extends Error {
  override name = 'EngineError';
  /** Of a refused move a code of the rules; else what was wrong with the question. */
  readonly code: string;
  /** The cards to blame. */
  readonly cards: Card[];
  /** Where a record cannot be read, from 1. */
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

/** A fault of the engine's own: it stops, and has to be loaded again. */
export class EngineFault extends Error {
  override name = 'EngineFault';
}
