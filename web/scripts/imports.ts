/* Which of its imports a module really needs. A barrel (a module that only re-exports from others) counts
 * as those of its modules whose names are used. By Rollup's own list of imports, a module that imports one
 * name from a barrel would need all of it. */
import type { ManualChunksOption } from 'rollup';

export type Meta = Parameters<Extract<ManualChunksOption, (...args: never) => unknown>>[1];

/** By import specifier. Compiled components import `svelte/internal/client` as a namespace and use its
 * members. */
const BARRELS: Record<string, RegExp> = {
  'svelte/internal/client': /\/svelte\/src\/internal\/client\/index\.js$/,
  '@rummyd/client': /\/sdk\/typescript\/src\/index\.ts$/,
};

const PASSED_ON = /export\s*(?:\*|\{([^}]*)\})\s*from\s*['"]([^'"]+)['"]/g;
const EXPORTED = /export\s+(?:async\s+)?(?:const|let|class|function\*?)\s+([\w$]+)/g;

const namesIn = (list: string, side: 'local' | 'other') =>
  list
    .split(',')
    .map((one) => one.trim().split(/\s+as\s+/))
    .map(([local = '', other = local]) => (side === 'local' ? local : other))
    .filter(Boolean);

/** The names that a module imports from a barrel. */
function namesTaken(code: string, barrel: string): Set<string> {
  const names = new Set<string>();
  const from = new RegExp(
    `import\\s*(?:\\*\\s*as\\s+([\\w$]+)|\\{([^}]*)\\})\\s*from\\s*['"]${barrel}['"]`,
    'g',
  );
  for (const [, space, list = ''] of code.matchAll(from)) {
    for (const name of namesIn(list, 'local')) names.add(name);
    if (space)
      for (const [, name = ''] of code.matchAll(new RegExp(`\\${space}\\.([\\w$]+)`, 'g'))) names.add(name);
  }
  return names;
}

/** Name → module, for everything that a barrel re-exports. */
function passedOn(barrel: string, { getModuleInfo }: Meta): Map<string, string> {
  const info = getModuleInfo(barrel);
  const found = new Map<string, string>();
  const whole = (id: string) => getModuleInfo(id)?.code ?? '';
  for (const [, list, path = ''] of (info?.code ?? '').matchAll(PASSED_ON)) {
    const end = path.replace(/^(\.\.?\/)+/, '/').replace(/\.[jt]s$/, '.');
    const id = info?.importedIds.find((one) => one.includes(end));
    if (id === undefined) continue;
    const names =
      list === undefined
        ? [...whole(id).matchAll(EXPORTED)].map(([, name = '']) => name)
        : namesIn(list, 'other');
    for (const name of names) found.set(name, id);
  }
  return found;
}

/** Which modules each module needs when it is loaded. */
export function needs(meta: Meta): (id: string) => string[] {
  const maps = new Map<string, Map<string, string>>();
  const taken = (code: string, id: string): string[] | null => {
    const barrel = Object.keys(BARRELS).find((name) => BARRELS[name]?.test(id));
    if (!barrel) return null;
    const map = maps.get(id) ?? passedOn(id, meta);
    maps.set(id, map);
    return [...namesTaken(code, barrel)].flatMap((name) => map.get(name) ?? []);
  };
  return (id) => {
    const info = meta.getModuleInfo(id);
    return (info?.importedIds ?? []).flatMap((next) => taken(info?.code ?? '', next) ?? [next]);
  };
}
