/* Which modules of the players' page share a file. On a slow line a file costs a round trip, whatever its size, and Rollup
 * alone makes one of each set of modules that some pages share: some fifty files before the first table. What always comes
 * together is one here; menus, dialogs and other pages stay files of their own. */
import { fileURLToPath } from 'node:url';
import type { ManualChunksOption } from 'rollup';

type Meta = Parameters<Extract<ManualChunksOption, (...args: never) => unknown>>[1];

/** What dialogs and menus are made of: fetched with the first of them. */
const DIALOGS = /\/node_modules\/(bits-ui|@floating-ui|tabbable|svelte-toolbelt|runed)\//;

/** Called by the first script, or by every catalog: too small for files of their own. */
const BESIDE_FIRST = /vite\/preload-helper|\/node_modules\/@messageformat\/runtime\//;

const at = (path: string) => fileURLToPath(new URL(`../${path}`, import.meta.url));
const FIRST = [at('src/first.ts')];
const OPERATORS = [at('src/admin/main.ts')];
const MAIN = at('src/main.ts');
const START = [MAIN];
const ENTRANCE = [at('src/pages/Enter.svelte')];
const LOBBY = [at('src/pages/Lobby.svelte')];
const TABLE = [at('src/pages/Table.svelte')];

/** The modules that these import when they are loaded, with themselves. */
function closure(roots: string[], { getModuleInfo }: Meta): Set<string> {
  const seen = new Set<string>();
  const open = [...roots];
  for (let id = open.pop(); id !== undefined; id = open.pop()) {
    if (seen.has(id)) continue;
    seen.add(id);
    open.push(...(getModuleInfo(id)?.importedIds ?? []));
  }
  return seen;
}

/** For `manualChunks`: the file of each module, undefined where Rollup decides. */
export function chunks(): (id: string, meta: Meta) => string | undefined {
  let sets: Record<'first' | 'operators' | 'start' | 'entrance' | 'lobby' | 'table', Set<string>> | null =
    null;
  return (id, meta) => {
    sets ??= {
      first: closure(FIRST, meta),
      operators: closure(OPERATORS, meta),
      start: closure(START, meta),
      entrance: closure(ENTRANCE, meta),
      lobby: closure(LOBBY, meta),
      table: closure(TABLE, meta),
    };
    if (id === MAIN) return undefined; // the entry: without anything of its own it would be no file
    const { first, operators, start, entrance, lobby, table } = sets;
    if (DIALOGS.test(id)) return 'dialogs';
    if (first.has(id) || BESIDE_FIRST.test(id)) return 'first';
    if (start.has(id)) return operators.has(id) ? 'shared' : 'start';
    if (operators.has(id)) return undefined;
    if (entrance.has(id)) return lobby.has(id) || table.has(id) ? 'start' : 'Enter';
    if (lobby.has(id)) return table.has(id) ? 'play' : 'Lobby';
    return table.has(id) ? 'Table' : undefined;
  };
}
