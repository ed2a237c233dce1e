/* Ids and English names of the server, in the language of the page. Names that an operator has added are
 * not translated. */
import { sayOr } from './messages';

/** "First game" of first_game. */
export function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** The title of a level, which the server names in English. */
export function sayTitle(title: string): string {
  return sayOr(`title.${title.toLowerCase().replaceAll(' ', '_')}`, title);
}

/** A room or a league, by its id. */
export function sayRoom(id: string): string {
  return sayOr(`room.name.${id.toLowerCase()}`, titleOf(id));
}

/** An achievement, by its id. If an operator added it, the name is derived from the id. */
export function sayAchievement(id: string): string {
  return sayOr(`achievement.${id}`, titleOf(id));
}

/** One sentence on how a game differs from the others; '' for a game that an operator added. */
export function sayGame(variant: string): string {
  return sayOr(`variant.text.${variant}`, '');
}
