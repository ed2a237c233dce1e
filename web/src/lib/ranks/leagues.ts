/* Leagues and their seasons, in words. Pure. */
import type { components } from '@rummyd/client';
import { say, sayOf, type MessageKey } from '$lib/messages/messages';

export type League = components['schemas']['LeagueList']['items'][number];
type Season = components['schemas']['MySeasons']['items'][number];
/** The outcome of a season for a player, for lists and notifications. */
export type SeasonResult = Pick<
  Season,
  'league' | 'to_league' | 'place' | 'games' | 'rating' | 'reason' | 'rule'
>;

/** Selects the sentence for a reason. */
function seasonKey({ reason, league, to_league, rule }: SeasonResult): string {
  switch (reason) {
    case 'inactive':
      return to_league === null ? 'inactive.out' : 'inactive';
    case 'too_few_games':
      return to_league === league ? 'too_few_games.stays' : 'too_few_games';
    case 'relegated':
      return rule.relegate_rating === undefined ? 'relegated.places' : 'relegated.rating';
    case 'promoted':
      return rule.promote_rating === undefined ? 'promoted.places' : 'promoted.rating';
    default:
      return reason;
  }
}

/** Why a player changed leagues after a season. nameOf: returns the name of a league. */
export function saySeason(result: SeasonResult, nameOf: (id: string) => string): string {
  const { place, games, rating, rule } = result;
  return sayOf('season', seasonKey(result), {
    ...rule,
    games,
    place: place ?? '–',
    rating: rating ?? '–',
    league: nameOf(result.league),
    to_league: nameOf(result.to_league ?? ''),
    next_league: nameOf(rule.next_league ?? ''),
  });
}

/** "ends in 3 days 4 h": time left. */
export function ends(until: string, now: number): string {
  const minutes = Math.ceil((Date.parse(until) - now) / 60_000);
  if (minutes <= 0) return say('leagues.ends.now');
  const days = Math.floor(minutes / 1440);
  const part = (key: MessageKey, n: number) => (n > 0 ? [say(key, { n })] : []);
  const parts = [
    ...part('span.days', days),
    ...part('span.hours', Math.floor((minutes % 1440) / 60)),
    ...(days > 0 ? [] : part('span.minutes', minutes % 60)),
  ];
  return say('leagues.ends', { time: parts.join(' ') });
}

/** Elapsed part of a time span, 0 to 1. */
export function passed(from: string, to: string, now: number): number {
  const start = Date.parse(from);
  const whole = Date.parse(to) - start;
  return whole > 0 ? Math.min(1, Math.max(0, (now - start) / whole)) : 1;
}

/** Promotion and relegation rules of a league; the first league has no relegation. */
export function leagueRules(league: League, gamesMin: number, first: boolean): string[] {
  const { promote_rating, promote_places, relegate_rating, relegate_places } = league;
  const rules: string[] = [];
  const games = gamesMin;
  if (promote_rating !== null) rules.push(say('league.up.rating', { rating: promote_rating, games }));
  if (promote_places !== null) rules.push(say('league.up.places', { places: promote_places, games }));
  if (relegate_rating !== null) rules.push(say('league.down.rating', { rating: relegate_rating }));
  if (relegate_places !== null) rules.push(say('league.down.places', { places: relegate_places }));
  if (!first) rules.push(say('league.down.games', { games }));
  return rules;
}

/** Prizes as a line: places with the same prize are grouped. */
export function prizeLine(prizes: readonly number[]): string {
  const parts: string[] = [];
  for (let from = 0; from < prizes.length;) {
    let to = from;
    while (prizes[to + 1] === prizes[from]) to++;
    parts.push(`${from + 1}${to > from ? `–${to + 1}` : ''}:\u00a0${prizes[from]}`);
    from = to + 1;
  }
  return parts.join(' · ');
}
