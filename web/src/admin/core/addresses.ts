/* Sections of the operators' page, the rights that each needs, and their addresses: /admin/,
 * /admin/{section}, /admin/{section}/{id}. Pure. */
import type { Word } from './words';

export interface Section {
  id: string;
  group: 'people' | 'play' | 'money' | 'system';
  /** The section is visible if the key permits any of these (`actions` in its status). */
  needs: readonly string[];
  /** Name of the count of its pending items (`waiting` in the status). */
  waits?: 'reports' | 'flags' | 'grants' | 'lost_tables' | 'jobs' | 'webhooks';
}

export const SECTIONS = [
  { id: 'players', group: 'people', needs: ['read:players'] },
  { id: 'reports', group: 'people', needs: ['read:reports'], waits: 'reports' },
  { id: 'clubs', group: 'people', needs: ['read:clubs'] },
  { id: 'collusion', group: 'people', needs: ['read:collusion'] },
  { id: 'tables', group: 'play', needs: ['read:tables'] },
  { id: 'games', group: 'play', needs: ['read:record'] },
  { id: 'lost-tables', group: 'play', needs: ['read:lost_tables'], waits: 'lost_tables' },
  { id: 'rooms', group: 'play', needs: ['read:rooms'] },
  { id: 'tournaments', group: 'play', needs: ['read:tournaments'] },
  { id: 'achievements', group: 'play', needs: ['read:achievements'] },
  { id: 'seasons', group: 'play', needs: ['read:season_preview'] },
  { id: 'orders', group: 'money', needs: ['read:orders'] },
  { id: 'flags', group: 'money', needs: ['read:flags'], waits: 'flags' },
  { id: 'grants', group: 'money', needs: ['read:grants'], waits: 'grants' },
  { id: 'packs', group: 'money', needs: ['read:packs'] },
  { id: 'books', group: 'money', needs: ['read:ledger_proof'] },
  { id: 'jobs', group: 'system', needs: ['job:list'], waits: 'jobs' },
  { id: 'webhooks', group: 'system', needs: ['read:webhooks'], waits: 'webhooks' },
  { id: 'keys', group: 'system', needs: ['read:keys'] },
  { id: 'audit', group: 'system', needs: ['read:audit'] },
] as const satisfies readonly Section[];

export type SectionId = (typeof SECTIONS)[number]['id'];
export const GROUPS = ['people', 'play', 'money', 'system'] as const;

/** Sections whose items have pages. */
const DETAILED: readonly string[] = [
  'players',
  'clubs',
  'tables',
  'games',
  'tournaments',
  'orders',
  'webhooks',
];

export interface Place {
  section: SectionId | 'overview' | 'unknown';
  /** Id of the item that is shown; '' for a list. */
  id: string;
}

export function placeOf(path: string): Place {
  const [, first, section = '', id = '', ...more] = path.replace(/\/+$/, '').split('/');
  if (first !== 'admin' || more.length > 0) return { section: 'unknown', id: '' };
  if (section === '') return { section: 'overview', id: '' };
  const known = SECTIONS.find((one) => one.id === section);
  const fits = id === '' || (DETAILED.includes(section) && /^\d{1,19}$/.test(id));
  return known && fits ? { section: known.id, id } : { section: 'unknown', id: '' };
}

export function addressOf(
  section: SectionId | 'overview',
  id = '',
  query: Record<string, string> = {},
): string {
  const search = new URLSearchParams(query).toString();
  const path = section === 'overview' ? '/admin/' : `/admin/${section}${id && `/${id}`}`;
  return search ? `${path}?${search}` : path;
}

export const nameOfSection = (id: SectionId | 'overview' | 'unknown'): Word => `section.${id}`;
