/* The texts of each language, loaded on demand: those of the entrance, those of the lobby and a table before
 * the first click, and later all others (scripts/messages/message-use.ts). */
import type { Catalog } from './catalog';
import type { LocaleTag } from './locales';

type Fetched = () => Promise<{ default: Catalog }>;

export const CATALOGS: Record<LocaleTag, Record<'entrance' | 'first' | 'later', Fetched>> = {
  en: {
    entrance: () => import('virtual:messages/entrance/en'),
    first: () => import('virtual:messages/first/en'),
    later: () => import('virtual:messages/later/en'),
  },
  de: {
    entrance: () => import('virtual:messages/entrance/de'),
    first: () => import('virtual:messages/first/de'),
    later: () => import('virtual:messages/later/de'),
  },
  fr: {
    entrance: () => import('virtual:messages/entrance/fr'),
    first: () => import('virtual:messages/first/fr'),
    later: () => import('virtual:messages/later/fr'),
  },
  hi: {
    entrance: () => import('virtual:messages/entrance/hi'),
    first: () => import('virtual:messages/first/hi'),
    later: () => import('virtual:messages/later/hi'),
  },
  'sr-Latn': {
    entrance: () => import('virtual:messages/entrance/sr-Latn'),
    first: () => import('virtual:messages/first/sr-Latn'),
    later: () => import('virtual:messages/later/sr-Latn'),
  },
  'sr-Cyrl': {
    entrance: () => import('virtual:messages/entrance/sr-Cyrl'),
    first: () => import('virtual:messages/first/sr-Cyrl'),
    later: () => import('virtual:messages/later/sr-Cyrl'),
  },
  'en-XA': {
    entrance: () => import('virtual:messages/entrance/en-XA'),
    first: () => import('virtual:messages/first/en-XA'),
    later: () => import('virtual:messages/later/en-XA'),
  },
  'ar-XB': {
    entrance: () => import('virtual:messages/entrance/ar-XB'),
    first: () => import('virtual:messages/first/ar-XB'),
    later: () => import('virtual:messages/later/ar-XB'),
  },
};
