/* Achievements: their names, and the order they are shown in. Pure. */
import type { components } from '$lib/api/schema';
import { titleOf } from '$lib/ui/words';

export type Achievement = components['schemas']['AchievementList']['items'][number];

const NAMES: Record<string, string> = {
  first_game: 'First game',
  first_win: 'First win',
  wins_10: 'Ten wins',
  wins_50: 'Fifty wins',
  wins_100: 'A hundred wins',
  wins_500: 'Five hundred wins',
  games_100: 'A hundred games',
  games_500: 'Five hundred games',
  games_1000: 'A thousand games',
  first_open: 'First opening',
  open_51_exact: 'To the point',
  open_100_plus: 'With a bang',
  first_rummy: 'First Rummy',
  rummy_10: 'Ten Rummies',
  bury_first: 'First burial',
  finish_with_joker: 'The joker goes last',
  swap_joker_10: 'Ten jokers swapped',
  win_streak_3: 'Three wins in a row',
  win_streak_5: 'Five wins in a row',
  unlock_tundra: 'Into the Tundra',
  unlock_steppe: 'Into the Steppe',
  unlock_savannah: 'Into the Savannah',
  unlock_oasis: 'Into the Oasis',
  unlock_forest: 'Into the Forest',
  league_promotion: 'Promoted',
  league_winner: 'Winner of a league',
  streak_7_days: 'Seven days in a row',
  streak_30_days: 'Thirty days in a row',
  invite_1: 'One invited',
  invite_10: 'Ten invited',
};

/** One that an operator added goes by its id. */
export function achievementName(id: string): string {
  return Object.hasOwn(NAMES, id) ? (NAMES[id] ?? id) : titleOf(id);
}

/** Earned ones first, the latest of them foremost; then by how near they are. */
export function sortAchievements(items: readonly Achievement[]): Achievement[] {
  const share = (a: Achievement) => (a.goal > 0 ? a.progress / a.goal : 0);
  return [...items].sort((a, b) => {
    if (a.earned_at !== null && b.earned_at !== null) return b.earned_at.localeCompare(a.earned_at);
    if (a.earned_at !== null || b.earned_at !== null) return a.earned_at !== null ? -1 : 1;
    return share(b) - share(a);
  });
}
