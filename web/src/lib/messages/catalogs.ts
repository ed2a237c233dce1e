/* The sentences of each language, fetched when they are asked for: first what can be said before the first click, later
 * all the others (scripts/messages/said.ts). */
import type { Catalog } from './catalog';
import type { LocaleTag } from './locales';

type Fetched = () => Promise<{ default: Catalog }>;

export const CATALOGS: Record<LocaleTag, { first: Fetched; later: Fetched }> = {
  en: {
    first: () => import('virtual:messages/first/en'),
    later: () => import('virtual:messages/later/en'),
  },
  de: {
    first: () => import('virtual:messages/first/de'),
    later: () => import('virtual:messages/later/de'),
  },
  fr: {
    first: () => import('virtual:messages/first/fr'),
    later: () => import('virtual:messages/later/fr'),
  },
  hi: {
    first: () => import('virtual:messages/first/hi'),
    later: () => import('virtual:messages/later/hi'),
  },
  'sr-Latn': {
    first: () => import('virtual:messages/first/sr-Latn'),
    later: () => import('virtual:messages/later/sr-Latn'),
  },
  'sr-Cyrl': {
    first: () => import('virtual:messages/first/sr-Cyrl'),
    later: () => import('virtual:messages/later/sr-Cyrl'),
  },
  'en-XA': {
    first: () => import('virtual:messages/first/en-XA'),
    later: () => import('virtual:messages/later/en-XA'),
  },
  'ar-XB': {
    first: () => import('virtual:messages/first/ar-XB'),
    later: () => import('virtual:messages/later/ar-XB'),
  },
};
