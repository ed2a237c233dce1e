/* Addresses of the page: /, /join/{code}, /table/{id}, /daily, /watch/{id}, /watch/{id}/{code}, /wallet,
 * /shop, /games, /games/{id}, /games/{id}/replay, /games/{id}/play, /leaderboards, /leagues, /profile, /week,
 * /players/{id}, /friends, /invites, /invite/{code}, /notifications, /account, /forgot, /practice, /rules,
 * /puzzles, /puzzles/{id}, /rules/{variant}, /rules/{variant}/score-sheet, /learn, /learn/{variant},
 * /lessons, /lessons/{variant}, /lessons/{variant}/{lesson}, /tournaments, /tournaments/{id}, /clubs,
 * /clubs/{id}; and from emails, with a token in the fragment: /verify, /reset, /undo, /unlock; and from a
 * sign-in provider: /sign-in. */

import { say } from './messages/messages';
import { ABOUT, BELOW, PLAIN } from './pages-known';

export type Page =
  | { name: 'home' | 'unknown' | (typeof PLAIN)[number] }
  | { name: 'watch'; id: string; code: string }
  | { name: (typeof BELOW)[keyof typeof BELOW]; id: string }
  | { name: 'lesson'; id: string; lesson: string }
  | { name: (typeof ABOUT)[keyof typeof ABOUT][0]; id: string };

export function pageOf(path: string): Page {
  const [, name = '', id, ...more] = path.replace(/\/+$/, '').split('/');
  if (name === '') return { name: 'home' };
  if (name === 'watch' && id && /^\d+$/.test(id)) return { name: 'watch', id, code: more[0] ?? '' };
  const about = Object.hasOwn(ABOUT, name) ? ABOUT[name as keyof typeof ABOUT] : null;
  const below = BELOW[`${name}/${more.join('/')}` as keyof typeof BELOW];
  if (id !== undefined && about?.[1].test(id)) {
    if (below) return { name: below, id };
    const [lesson] = more;
    if (name === 'lessons' && lesson && more.length === 1) return { name: 'lesson', id, lesson };
    if (!lesson) return { name: about[0], id };
  }
  if (id !== undefined) return { name: 'unknown' };
  const plain = PLAIN.find((known) => known === name);
  return plain ? { name: plain } : { name: 'unknown' };
}

/** Title for the browser tab and the history. */
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
    case 'path':
    case 'lesson':
      return say('page.lessons');
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
