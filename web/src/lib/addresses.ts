/* The page's own addresses: /, /join/{code}, /table/{id}, /daily, /watch/{id}, /watch/{id}/{code}, /wallet, /shop, /games, /games/{id},
 * /leaderboards, /leagues, /profile, /players/{id}, /friends, /invites, /invite/{code}, /notifications, /account, /forgot, /practice, /rules,
 * /rules/{variant}, /learn, /learn/{variant}, /tournaments, /tournaments/{id}, /clubs, /clubs/{id}; and from
 * mails, with a token behind the #: /verify, /reset, /undo, /unlock; and from a provider that people sign in by: /sign-in. */

import { say } from './messages/messages';
import { ABOUT, PLAIN } from './pages-known';

export type Page =
  | { name: 'home' | 'unknown' | (typeof PLAIN)[number] }
  | { name: 'watch'; id: string; code: string }
  | { name: 'game-replay'; id: string }
  | { name: (typeof ABOUT)[keyof typeof ABOUT][0]; id: string };

export function pageOf(path: string): Page {
  const [, name = '', id, ...more] = path.replace(/\/+$/, '').split('/');
  if (name === '') return { name: 'home' };
  if (name === 'watch' && id && /^\d+$/.test(id)) return { name: 'watch', id, code: more[0] ?? '' };
  if (name === 'games' && /^\d+$/.test(id ?? '') && more.join() === 'replay')
    return { name: 'game-replay', id: id ?? '' };
  if (more.length > 0) return { name: 'unknown' };
  if (id !== undefined) {
    const about = Object.hasOwn(ABOUT, name) ? ABOUT[name as keyof typeof ABOUT] : null;
    return about?.[1].test(id) ? { name: about[0], id } : { name: 'unknown' };
  }
  const plain = PLAIN.find((known) => known === name);
  return plain ? { name: plain } : { name: 'unknown' };
}

/** What a browser's tab and history call it. */
export function nameOf(page: Page): string {
  return say('page.title', { page: pageName(page) });
}

export function pageName(page: Page): string {
  switch (page.name) {
    case 'home':
      return say('page.lobby');
    case 'invite':
      return say('page.invites');
    case 'sign-in':
      return say('page.sign_in');
    case 'guide':
      return say('page.learn');
    case 'rules':
    case 'rulebook':
      return say('rulebook.title');
    case 'table':
    case 'watch':
      return say('page.table', { id: page.id });
    case 'game':
    case 'game-replay':
    case 'embed':
      return say('page.game', { id: page.id });
    default:
      return say(`page.${page.name}`);
  }
}
