/* Files that share a server must not share nicknames: the second guest with a name is refused. */
import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from '../lib/test.mjs';

const FOLDER = new URL('.', import.meta.url);
const OWN_SERVER = /new Platform\(|serverFlags:/;
const ENTERS = /(?:\b(?:person|enter|register)\([^)]*?|NICK = |nickname of \[|nick: )'([A-Z]\w+)'/g;
/** The players of a game that is written to the database. */
const LISTED = /\bgameOf\([^)]*?\[([^\]]*)\]/g;

test('no two files use the same player name', () => {
  const owners = new Map();
  for (const file of readdirSync(FOLDER).filter((name) => name.endsWith('.spec.mjs'))) {
    const text = readFileSync(new URL(file, FOLDER), 'utf8');
    if (OWN_SERVER.test(text) || file === 'cluster.spec.mjs') continue;
    const names = [
      ...[...text.matchAll(ENTERS)].map(([, name]) => name),
      ...[...text.matchAll(LISTED)].flatMap(([, list]) => list.match(/[A-Z]\w+/g) ?? []),
    ];
    for (const name of names) owners.set(name, (owners.get(name) ?? new Set()).add(file));
  }
  expect(owners.size, 'names found').toBeGreaterThan(8);
  expect([...owners].filter(([, files]) => files.size > 1).map(([name, files]) => [name, ...files])).toEqual(
    [],
  );
});
