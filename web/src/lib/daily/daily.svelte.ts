/* The daily deals: today's deals, the player's results, and sitting down. */
import { api, idempotencyKey, need, sentence, type DailyBoard, type DailyDeals } from '$lib/api/client';
import { say } from '$lib/messages/messages';
import { sitDown } from '$lib/lobby/seat';
import { number } from '$lib/messages/format';

export type DailyDay = DailyDeals['items'][number];
export type DailyDeal = DailyDay['deals'][number];
export type DailyLine = DailyBoard['items'][number];

const SEED_BYTES = 32;

/** 32 random bytes: this browser's part of the next day's client seed. */
function seed(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(SEED_BYTES));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export class Daily {
  deals = $state.raw<DailyDeals | null>(null);
  problem = $state('');
  /** The variant whose table is being opened. */
  busy = $state('');

  today = $derived(this.deals?.items.find((day) => day.day === this.deals?.today) ?? null);

  async load(): Promise<void> {
    try {
      this.deals = await need(api.GET('/v1/daily-deals'));
      this.problem = '';
    } catch (error) {
      this.problem = sentence(error);
    }
  }

  async play(day: string, variant: string): Promise<void> {
    this.busy = variant;
    this.problem = '';
    try {
      const params = { path: { day, variant }, header: idempotencyKey() };
      const body = { seed: seed() };
      sitDown(await need(api.POST('/v1/daily-deals/{day}/{variant}/plays', { params, body })));
    } catch (error) {
      this.problem = sentence(error);
    } finally {
      this.busy = '';
    }
  }
}

/** The conditions that the player must still meet before their results are ranked. */
export function rankingNeeds({ proved, games, games_min }: DailyDeals['ranking']): string[] {
  return [
    ...(proved ? [] : [say('daily.ranking_proof')]),
    ...(games >= games_min ? [] : [say('daily.ranking_games', { min: games_min, n: games })]),
  ];
}

/** Formatted as 97.6%, or a dash if no one else has played yet. */
export function percentSaid(percent: number | null): string {
  return percent === null ? '–' : number(percent / 100, { style: 'percent', maximumFractionDigits: 1 });
}

/** The line below a deal's name: not played, in progress, or the result. */
export function dealSaid(deal: DailyDeal): string {
  const { own, entrants } = deal;
  if (!own) return say('daily.entrants', { n: entrants });
  if (own.state === 'playing') return say('daily.running');
  if (own.state === 'void' || own.points === null) return say('daily.void');
  if (own.rank === null) return say('daily.unranked', { points: own.points });
  return say('daily.rank', { rank: own.rank, n: entrants, percent: percentSaid(own.percent) });
}
