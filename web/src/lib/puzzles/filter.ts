/* Which puzzles a player practices: the query of /puzzles and of the following puzzles. Pure. */
import { VARIANTS } from '$lib/rules/rules';
import type { paths } from '@rummyd/client';
import { THEMES } from './puzzles';

/** tag: the reason why puzzles are difficult (docs/puzzles.md). */
export type Filter = NonNullable<paths['/v1/puzzles/next']['get']['parameters']['query']>;

/** An unknown game, theme, or tag is ignored. */
export function filterOf(search: string): Filter {
  const query = new URLSearchParams(search);
  const variant = VARIANTS.find((one) => one === query.get('variant')) as Filter['variant'];
  const theme = THEMES.find((one) => one === query.get('theme'));
  const [tag] = /^[A-Za-z0-9_:-]{1,64}$/.exec(query.get('tag') ?? '') ?? [];
  return { ...(variant && { variant }), ...(theme && { theme }), ...(tag && { tag }) };
}

/** '' for any puzzle. */
export function searchFor(filter: Filter): string {
  const query = new URLSearchParams(Object.entries(filter)).toString();
  return query && `?${query}`;
}

export const isAny = (filter: Filter): boolean => Object.keys(filter).length === 0;
