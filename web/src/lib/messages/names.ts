/* What the server calls by an id or an English name, in the language of the page. What an operator has added keeps the name
 * that it was given. */
import { sayOr } from './messages';

/** "First game" of first_game. */
export function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The title of a level, which the server gives in English. */
export function sayTitle(title: string): string {
  return sayOr(`title.${title.toLowerCase().replaceAll(' ', '_')}`, title);
}

/** A room or a league, by its id. */
export function sayRoom(id: string): string {
  return sayOr(`room.name.${id.toLowerCase()}`, titleOf(id));
}

/** An achievement, by its id; one that an operator added goes by that. */
export function sayAchievement(id: string): string {
  return sayOr(`achievement.${id}`, titleOf(id));
}
