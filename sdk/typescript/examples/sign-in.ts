/* Signs in once and stays signed in between runs: [PASSWORD=…] node dist/examples/sign-in.js URL EMAIL
 * FILE */
import { createInterface } from 'node:readline/promises';
import { ApiError, fileSession, need, Player } from '@rummyd/client';

async function ask(question: string): Promise<string> {
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  return terminal.question(question).finally(() => terminal.close());
}

/** Null if there is no session, or if the server has ended it. */
async function me(player: Player) {
  if (!player.signedIn) return null;
  return need(player.rest.GET('/v1/me')).catch((error: unknown) => {
    if (error instanceof ApiError && error.status === 401) return null;
    throw error;
  });
}

const [url = 'http://localhost:8080', email = '', file = 'session'] = process.argv.slice(2);
const player = new Player(url, { session: fileSession(file) });
if (!(await me(player))) {
  const password = process.env.PASSWORD ?? (await ask('Password: '));
  await player.signIn({ email, password }, () => ask('Code: '));
}
console.log(`signed in as ${(await me(player))?.nickname}`);
