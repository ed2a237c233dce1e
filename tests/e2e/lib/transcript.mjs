/* Committed texts, reviewed by humans, with which results are compared line by line. UPDATE_TRANSCRIPTS=1
 * writes them instead. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const FOLDER = fileURLToPath(new URL('../spoken/', import.meta.url));

function difference(path, text) {
  const folder = mkdtempSync(join(tmpdir(), 'rummyd-transcript-'));
  try {
    const found = join(folder, 'found');
    writeFileSync(found, text);
    execFileSync('diff', ['-u', path, found], { encoding: 'utf8' });
    return '';
  } catch (error) {
    return error.stdout || error.stderr;
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Fails with a diff unless the lines equal tests/e2e/spoken/NAME.txt. */
export function asWritten(name, lines) {
  const path = join(FOLDER, `${name}.txt`);
  const text = `${lines.join('\n')}\n`;
  if (process.env.UPDATE_TRANSCRIPTS === '1') writeFileSync(path, text);
  const changed = difference(path, text);
  if (changed)
    throw new Error(`${name} differs from the transcript (UPDATE_TRANSCRIPTS=1 rewrites it):\n${changed}`);
}
