/* Stores a session in a file between runs of a program. Node.js only. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { SessionOptions, Tokens } from './tokens.js';

/** Stores the tokens in a file that only its owner can read. Only one program may use it at a time, because
 * a refresh token can be used only once. */
export function fileSession(path: string): Required<Pick<SessionOptions, 'load' | 'save'>> {
  return {
    load() {
      try {
        return JSON.parse(readFileSync(path, 'utf8')) as Tokens;
      } catch (error) {
        if ((error as { code?: string }).code === 'ENOENT') return null;
        throw error;
      }
    },
    save(tokens) {
      if (!tokens) return rmSync(path, { force: true });
      rmSync(`${path}.new`, { force: true });
      writeFileSync(`${path}.new`, JSON.stringify(tokens), { mode: 0o600, flag: 'wx' });
      renameSync(`${path}.new`, path); /* written completely or not at all */
    },
  };
}
