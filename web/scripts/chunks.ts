/* Which modules of the players' page share a file. On a slow connection, each file costs a round trip,
 * whatever its size. By default, Rollup makes one file for each set of modules that some pages share, which
 * is about fifty files before the first table. Here, modules that are always loaded together share one;
 * menus, dialogs, and other pages stay separate files. */
import { fileURLToPath } from 'node:url';
import { needs, type Meta } from './imports';

/** Libraries for dialogs and menus, fetched when the first of them opens. */
const DIALOGS = /\/node_modules\/(bits-ui|@floating-ui|tabbable|svelte-toolbelt|runed)\//;

/** Used by the first script, and too small for a separate file. */
const BESIDE_FIRST = /vite\/preload-helper/;

/** Part of the file of a language (scripts/messages/plugin.ts). */
const TEXTS = /virtual:messages\/(?!catalogs)|\?in=/;

/** Re-exported by a barrel. Without a separate file, these modules would be loaded wherever the barrel is
 * imported, which is everywhere. */
const PASSED_ON = /\/node_modules\/svelte\/|\/sdk\/typescript\/src\//;

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const FIRST = [at('src/preload.ts')];
const OPERATORS = [at('src/admin/main.ts')];
const MAIN = at('src/main.ts');
const START = [MAIN];
const ENTRANCE = [at('src/pages/Enter.svelte')];
const LOBBY = [at('src/pages/Lobby.svelte')];
const TABLE = [at('src/pages/Table.svelte')];
/* The frame of the players' pages, which the sign-in page does not have. */
const FRAME = [
  at('src/lib/nav/Top.svelte'),
  at('src/lib/nav/BottomBar.svelte'),
  at('src/lib/cards/Backs.svelte'),
];

/** These modules and all that they import when they are loaded. */
function closure(roots: string[], needed: (id: string) => string[]): Set<string> {
  const seen = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...needed(id));
  }
  return seen;
}

function setsOf(meta: Meta) {
  const needed = needs(meta);
  return {
    first: closure(FIRST, needed),
    operators: closure(OPERATORS, needed),
    start: closure(START, needed),
    entrance: closure(ENTRANCE, needed),
    frame: closure(FRAME, needed),
    lobby: closure(LOBBY, needed),
    table: closure(TABLE, needed),
  };
}

/** For `manualChunks`: returns the file of a module, or undefined to let Rollup decide. */
export function chunks(): (id: string, meta: Meta) => string | undefined {
  let sets: ReturnType<typeof setsOf> | null = null;
  return (id, meta) => {
    sets ??= setsOf(meta);
    if (id === MAIN) return undefined; // the entry, which Rollup would drop if it were empty
    const { first, operators, start, entrance, frame, lobby, table } = sets;
    if (TEXTS.test(id)) return undefined;
    if (DIALOGS.test(id)) return 'dialogs';
    if (first.has(id) || BESIDE_FIRST.test(id)) return 'first';
    if (start.has(id)) return operators.has(id) ? 'shared' : 'start';
    const players = frame.has(id) || lobby.has(id) || table.has(id);
    if (operators.has(id) && entrance.has(id)) return 'shared';
    if (PASSED_ON.test(id) && !entrance.has(id) && (operators.has(id) || !players)) return 'both';
    if (operators.has(id)) return players ? 'both' : undefined;
    const inside = frame.has(id) || (lobby.has(id) && table.has(id));
    if (entrance.has(id)) return players ? 'start' : 'Enter';
    if (inside) return 'inside';
    if (lobby.has(id)) return 'Lobby';
    return table.has(id) ? 'Table' : undefined;
  };
}
