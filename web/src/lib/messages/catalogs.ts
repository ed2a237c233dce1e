/* The sentences of each language, fetched when they are asked for. */
import type { Catalog } from './catalog';
import type { LocaleTag } from './locales';

export const CATALOGS: Record<LocaleTag, () => Promise<{ default: Catalog }>> = {
  en: () => import('virtual:messages/en'),
  de: () => import('virtual:messages/de'),
  fr: () => import('virtual:messages/fr'),
  hi: () => import('virtual:messages/hi'),
  'sr-Latn': () => import('virtual:messages/sr-Latn'),
  'sr-Cyrl': () => import('virtual:messages/sr-Cyrl'),
  'en-XA': () => import('virtual:messages/en-XA'),
  'ar-XB': () => import('virtual:messages/ar-XB'),
};
