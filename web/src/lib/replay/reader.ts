/* Reads a record with the engine: its hands and a verdict for each, or a sentence that names the error. */
import { theEngine } from '$lib/engine/engine';
import { say } from '$lib/messages/messages';
import { EngineError, type Engine, type HandVerdict, type RecordHand } from '@rummyd/engine';
import { RECORD_BYTES_MAX, RECORD_MIB_MAX } from './saved-record';

export interface ReadRecord {
  text: string;
  hands: RecordHand[];
  verdicts: HandVerdict[];
}
export type Reading = { ok: true; engine: Engine; record: ReadRecord } | { ok: false; problem: string };

/** UTF-8 takes one to three bytes per UTF-16 unit, so a text that is certainly too long need not be
 * encoded. */
function isTooLong(text: string): boolean {
  return text.length > RECORD_BYTES_MAX || new TextEncoder().encode(text).length > RECORD_BYTES_MAX;
}

function faultOf(error: unknown): string {
  if (!(error instanceof EngineError)) throw error;
  const { line, column, message: text } = error;
  return line && column
    ? say('replay.fault.line', { line, column, text })
    : say('replay.fault.start', { text });
}

/** Files from other systems end lines with \r\n. */
export async function readRecord(said: string): Promise<Reading> {
  const text = said.replace(/\r\n/g, '\n');
  if (isTooLong(text)) return { ok: false, problem: say('replay.fault.big', { mib: RECORD_MIB_MAX }) };
  if (text.trim() === '') return { ok: false, problem: say('replay.fault.none') };
  let engine: Engine;
  try {
    engine = await theEngine();
  } catch {
    return { ok: false, problem: say('replay.fault.engine') };
  }
  try {
    const hands = engine.record.parse(text);
    return { ok: true, engine, record: { text, hands, verdicts: engine.verify(text) } };
  } catch (error) {
    return { ok: false, problem: faultOf(error) };
  }
}
