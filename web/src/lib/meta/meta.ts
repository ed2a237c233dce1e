/* Words and numbers of the game around the games: seasons, boards, money, orders. Pure. */
import type { components } from '$lib/api/schema';

type Schemas = components['schemas'];
export type League = Schemas['LeagueList']['items'][number];
export type BoardLine = Schemas['BoardLine'];
export type Order = Schemas['Order'];
export type Bonus = Schemas['Bonus'];
export type Wallet = Schemas['Wallet'];
export type Achievement = Schemas['AchievementList']['items'][number];
export type VariantStatistics = Schemas['Player']['variants'][number];

export const BOARDS = [
  ['rating', 'Rating'],
  ['clover', 'Clover points'],
  ['wins', 'Wins'],
  ['rummies', 'Rummy finishes'],
] as const;
export type Board = (typeof BOARDS)[number][0];

/** An amount in the smallest unit of its currency, in the reader's way of writing money. */
export function money(amount: number, currency: string, locale?: string): string {
  const format = new Intl.NumberFormat(locale, { style: 'currency', currency: currency.toUpperCase() });
  const digits = format.resolvedOptions().maximumFractionDigits ?? 2;
  return format.format(amount / 10 ** digits);
}

/** "ends in 3 days 4 h": what is left until a time. */
export function ends(until: string, now: number): string {
  const minutes = Math.ceil((Date.parse(until) - now) / 60_000);
  if (minutes <= 0) return 'ends any moment';
  const days = Math.floor(minutes / 1440);
  const hours = Math.floor((minutes % 1440) / 60);
  const part = (n: number, one: string, many = one) => (n > 0 ? [`${n} ${n === 1 ? one : many}`] : []);
  const smaller = days > 0 ? [] : part(minutes % 60, 'min');
  return `ends in ${[...part(days, 'day', 'days'), ...part(hours, 'h'), ...smaller].join(' ')}`;
}

/** How much of a span is over, 0 to 1. */
export function passed(from: string, to: string, now: number): number {
  const start = Date.parse(from);
  const whole = Date.parse(to) - start;
  return whole > 0 ? Math.min(1, Math.max(0, (now - start) / whole)) : 1;
}

/** What leads up and down in a league; from the first one nobody falls. */
export function leagueRules(league: League, gamesMin: number, first: boolean): string[] {
  const rules: string[] = [];
  if (league.promote_rating !== null)
    rules.push(`Up: a rating of ${league.promote_rating} from ${gamesMin} games.`);
  if (league.promote_places !== null)
    rules.push(`Up: the first ${league.promote_places} with ${gamesMin} games.`);
  if (league.relegate_rating !== null) rules.push(`Down: a rating below ${league.relegate_rating}.`);
  if (league.relegate_places !== null) rules.push(`Down: the last ${league.relegate_places}.`);
  if (!first) rules.push(`Down: fewer than ${gamesMin} games.`);
  return rules;
}

/** Prizes as a line: places with the same prize together. */
export function prizeLine(prizes: readonly number[]): string {
  const parts: string[] = [];
  for (let from = 0; from < prizes.length;) {
    let to = from;
    while (prizes[to + 1] === prizes[from]) to++;
    parts.push(`${from + 1}${to > from ? `–${to + 1}` : ''}: ${prizes[from]}`);
    from = to + 1;
  }
  return parts.join(' · ');
}

/** The months before this one, newest first, as the boards name them. */
export function monthsBefore(n: number, now: Date): string[] {
  return Array.from({ length: n }, (_, i) => {
    const month = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - 1 - i, 1));
    return month.toISOString().slice(0, 7);
  });
}

const ORDER_WORDS: Record<Order['state'], string> = {
  created: 'Not at the payment page yet',
  pending: 'Waiting for the payment',
  paid: 'Paid',
  failed: 'Failed',
  expired: 'Expired',
  refunded: 'Money returned',
  refunding: 'Refund on its way',
  disputed: 'In dispute',
  charged_back: 'Charged back',
};

/** What became of an order, and of its gold where it went back. */
export function orderSaid(order: Order): string {
  const back = order.gold_back > 0 ? [`${order.gold_back} gold taken back`] : [];
  const short = order.gold_short > 0 ? [`${order.gold_short} gold short`] : [];
  return [ORDER_WORDS[order.state], ...back, ...short].join(' · ');
}

/** For how much silver there is room under the cap: what is held at tables is under it, too. */
export function silverRoom(wallet: Pick<Wallet, 'silver' | 'silver_cap' | 'holds'>): number {
  return wallet.holds.reduce((room, hold) => room - hold.silver, wallet.silver_cap - wallet.silver);
}

/** The daily bonus in sentences; `room` is for how much silver the purse has room. */
export function bonusSaid(bonus: Bonus, room: number): string[] {
  const said: string[] = [];
  if (bonus.today_amount !== null) {
    const lost = bonus.today_lost ? `, ${bonus.today_lost} of it over the cap` : '';
    said.push(`Last midnight brought ${bonus.today_amount} silver${lost}.`);
  }
  said.push(`The next one brings ${bonus.tomorrow_amount} silver.`);
  const over = bonus.tomorrow_amount - room;
  if (over > 0) said.push(`As your purse is now, ${over} of it would be lost over the cap.`);
  if (!bonus.played_today) said.push('Finish a game today to go on with your streak.');
  return said;
}

/** A whole number of parts in a hundred; nothing of nothing is a dash. */
export function percent(part: number, whole: number): string {
  return whole > 0 ? `${Math.round((100 * part) / whole)} %` : '–';
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

/** "First game" of first_game. */
export function titleOf(id: string): string {
  const words = id.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
