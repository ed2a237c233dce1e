/* Tournaments in words: progress, format, start, and the player's options. Pure. */
import { ApiError, sentence } from '$lib/api/problem';
import type { components, ServerFrame } from '@rummyd/client';
import { number } from '$lib/messages/format';
import { say, sayOf } from '$lib/messages/messages';
import { percent } from '$lib/ui/amount';
import { moment, day, timeOfDay } from '$lib/ui/time';

type Schemas = components['schemas'];
export type Tournament = Omit<Schemas['TournamentItem'], 'entered'>;
export type Listed = Schemas['TournamentItem'];
export type Told = Schemas['TournamentDetail'];
export type Line = Schemas['TournamentStandings']['items'][number];
export type RoundTable = Schemas['TournamentTables']['items'][number];
export type RoundSeat = RoundTable['seats'][number];
export type SeatResult = Schemas['TournamentSeat']['items'][number];

/** The server's state names, in order. */
export const STATES = ['open', 'running', 'ended', 'cancelled'] as const;
export type State = (typeof STATES)[number];

/** More detailed than the state: a tournament that has not begun is waiting either for its start time or
 * until it is full. */
export type Stage = 'scheduled' | 'filling' | 'running' | 'over' | 'cancelled';

export function stageOf({ state, sit_and_go }: Tournament): Stage {
  if (state === 'open') return sit_and_go ? 'filling' : 'scheduled';
  return state === 'ended' ? 'over' : state;
}

const WEEK_MS = 7 * 86_400_000;

/** A time in the reader's time zone, with the weekday if it is within a week, otherwise with the date. */
function timeSaid(at: string, now: number): string {
  const near = Math.abs(Date.parse(at) - now) < WEEK_MS;
  return near ? moment(at) : say('tournament.at', { day: day(at), time: timeOfDay(at) });
}

/** The tournament's next step, or how it ended. */
export function whenSaid(t: Tournament, now: number): string {
  switch (stageOf(t)) {
    case 'scheduled':
      return t.starts_at === null ? '' : say('tournament.starts', { at: timeSaid(t.starts_at, now) });
    case 'filling':
      return fillingSaid(t.entries_max - t.people - t.bots, t.starts_at);
    case 'running':
      return roundSaid(t, t.round);
    case 'over':
      return t.ended_at === null ? '' : say('tournament.ended', { at: timeSaid(t.ended_at, now) });
    case 'cancelled':
      return sayOf('tournament.reason', t.reason ?? 'by_operator');
  }
}

/** When a sit-and-go begins. If bots fill it up, also the deadline, which runs from the first entry. */
function fillingSaid(n: number, deadline: string | null): string {
  return deadline === null
    ? say('tournament.starts_full', { n })
    : say('tournament.starts_full_by', { n, at: timeOfDay(deadline) });
}

/** "Round 2", with the total number of rounds in a Swiss tournament. */
export function roundSaid({ rounds }: Tournament, n: number): string {
  return rounds === null ? say('tournament.round', { n }) : say('tournament.round_of', { n, all: rounds });
}

export function kindSaid({ kind }: Tournament): string {
  return sayOf('tournament.kind', kind);
}

/** Who advances from round to round. */
export function waySaid(t: Tournament): string {
  switch (t.kind) {
    case 'knockout':
      return say('tournament.way.knockout', { n: t.advance ?? 1 });
    case 'stages':
      return say('tournament.way.stages', { part: percent(t.keep_percent ?? 0, 100) });
    case 'swiss':
      return say('tournament.way.swiss', { n: t.rounds ?? 1 });
    case 'teams':
      return say('tournament.way.teams');
  }
}

/** Whether entry is open: before the start, or late if that is allowed, while places are free. */
export function mayEnter(t: Told, now: number): boolean {
  const late = t.state === 'running' && t.late_until !== null && Date.parse(t.late_until) > now;
  return t.own === null && (t.state === 'open' || late) && t.people + t.bots < t.entries_max;
}

export function mayWithdraw(t: Told): boolean {
  return t.own !== null && t.state === 'open';
}

/** Whether the purse does not cover the entry fee, so that the page shows ways to get more chips. */
export function isShort(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'no_funds';
}

/** Why entering or withdrawing failed. The usual sentence for a lack of chips names the stake; this one
 * names the entry fee. */
export function refusedSaid(error: unknown, { entry }: Tournament): string {
  return isShort(error) ? say('tournament.short', { n: entry }) : sentence(error);
}

/** The viewer's standing. */
export function ownSaid(t: Told): string {
  const { own } = t;
  if (own === null || t.state === 'cancelled') return '';
  if (t.state === 'open') return say('tournament.entered');
  if (t.teams && own.team !== null) return teamSaid(t.teams, own.team);
  if (own.place !== null) return say('tournament.placed', { place: own.place, n: t.people + t.bots });
  if (own.table_id !== null) return say('tournament.seated', { n: t.round });
  return own.in ? say('tournament.waits') : say('tournament.out');
}

/** Whether the viewer's team won. */
function teamSaid(teams: NonNullable<Told['teams']>, own: number): string {
  if (isLevel(teams)) return say('tournament.own.level');
  const won = teams.some((team) => team.team === own && team.place === 1);
  return won ? say('tournament.own.won') : say('tournament.own.lost');
}

/** Whether neither team did better with the cards. */
export function isLevel(teams: NonNullable<Told['teams']>): boolean {
  return teams.every((team) => team.place === 1);
}

/** A margin in points; the server counts in sixtieths. */
export function marginSaid(margin: number): string {
  return number(margin / 60, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
}

/** Percentage of the other players in the same seat that an entrant beat. */
export function beatsSaid(share: number | null): string {
  return share === null ? '–' : percent(share, 100, 1);
}

/** Whether everyone may compare the results of the round's deal. */
export function isOpen({ deals }: Told, round: number): boolean {
  return deals.some((deal) => deal.round === round);
}

/** Whether the frame reports a change of this tournament or, without an `id`, of any. */
export function hasChanged(frame: ServerFrame, id?: string): boolean {
  return (
    frame.t === 'tournaments_changed' && (id === undefined || frame.d.items.some((one) => one.id === id))
  );
}

/** Whether the frame notifies the player about this tournament. */
export function tellsOf(frame: ServerFrame, id: string): boolean {
  if (frame.t !== 'notification') return false;
  const { kind, data } = frame.d;
  return kind.startsWith('tournament_') && (data as { tournament_id?: unknown }).tournament_id === id;
}
