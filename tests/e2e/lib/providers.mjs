/* Fake OpenID Connect providers (tests/support/oidc.py), and a user's actions on their page. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ROOT } from './server.mjs';

/** Debian's Python, which has the packages. */
const PYTHON = '/usr/bin/python3';

/** Starts one provider per name; returns the file for the server, and a function that stops them. */
export async function startProviders(...names) {
  const folder = mkdtempSync(join(tmpdir(), 'rummyd-oidc-'));
  const options = { cwd: join(ROOT, 'tests'), stdio: ['pipe', 'pipe', 'inherit'] };
  const process = spawn(PYTHON, ['-m', 'support.oidc', folder, ...names], options);
  const gone = once(process, 'exit');
  const [file] = await Promise.race([
    once(process.stdout, 'data'),
    gone.then(() => Promise.reject(new Error('the providers ended'))),
  ]);
  return {
    file: String(file).trim(),
    stop: async () => {
      process.stdin.end();
      await gone;
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Gives consent as the owner of an address. */
export async function agree(page, email) {
  await page.getByLabel('Who are you?').fill(email);
  await page.getByRole('button', { name: 'Agree' }).click();
}
