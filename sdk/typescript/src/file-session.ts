/* A session that lasts from one run of a program to the next, in a file. Node.js. */
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import type { SessionOptions, Tokens } from './tokens.js';

/** Keeps the tokens in a file that only its owner may read. One program at a time: a refresh token works once. */
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
      renameSync(`${path}.new`, path); /* whole or not at all */
    },
  };
}
