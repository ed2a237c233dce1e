/* A fake of Stripe (tests/support/stripe.py): its address, and a buyer who pays. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { ROOT } from './server.mjs';

/** Debian's Python, which has the packages. */
const PYTHON = '/usr/bin/python3';

export async function startStripe() {
  const program = spawn(PYTHON, ['-m', 'support.stripe'], {
    cwd: join(ROOT, 'tests'),
    stdio: ['pipe', 'pipe', 'inherit'],
  });
  const gone = once(program, 'exit');
  const lines = createInterface({ input: program.stdout })[Symbol.asyncIterator]();
  const line = async () => {
    const { value, done } = await lines.next();
    if (done) throw new Error('the stand-in of Stripe ended');
    return value;
  };
  const { url, key, secret } = JSON.parse(await line());
  return {
    flags: { stripe_url: url },
    env: { RUMMYD_STRIPE_KEY: key, RUMMYD_STRIPE_WEBHOOK_SECRET: secret },
    /** Pays everything pending, and notifies the server. */
    pay: async (server) => {
      program.stdin.write(`${server}/v1/shop/webhooks/stripe\n`);
      await line();
    },
    stop: async () => {
      program.stdin.end();
      await gone;
    },
  };
}
