/* Tournaments in words: how far one is, how it is played, when it begins, what the player may do. Pure. */
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

/** How the server calls them, in the order in which one goes through them. */
export const STATES = ['open', 'running', 'ended', 'cancelled'] as const;
export type State = (typeof STATES)[number];

/** More than the state says: one that has not begun waits for its time, or until it is full. */
export type Stage = 'scheduled' | 'filling' | 'running' | 'over' | 'cancelled';

export function stageOf({ state, sit_and_go }: Tournament): Stage {
  if (state === 'open') return sit_and_go ? 'filling' : 'scheduled';
  return state === 'ended' ? 'over' : state;
}

const WEEK_MS = 7 * 86_400_000;

/** A time in the reader's zone: of this week by its day, else by its date. */
function timeSaid(at: string, now: number): string {
  const near = Math.abs(Date.parse(at) - now) < WEEK_MS;
  return near ? moment(at) : say('tournament.at', { day: day(at), time: timeOfDay(at) });
}

/** What is next of it, or how it ended. */
export function whenSaid(t: Tournament, now: number): string {
  switch (stageOf(t)) {
    case 'scheduled':
      return t.starts_at === null ? '' : say('tournament.starts', { at: timeSaid(t.starts_at, now) });
    case 'filling':
      return say('tournament.starts_full', { n: t.entries_max - t.people - t.bots });
    case 'running':
      return roundSaid(t, t.round);
    case 'over':
      return t.ended_at === null ? '' : say('tournament.ended', { at: timeSaid(t.ended_at, now) });
    case 'cancelled':
      return sayOf('tournament.reason', t.reason ?? 'by_operator');
  }
}

/** "Round 2", and of a Swiss tournament of how many. */
export function roundSaid({ rounds }: Tournament, n: number): string {
  return rounds === null ? say('tournament.round', { n }) : say('tournament.round_of', { n, all: rounds });
}

export function kindSaid({ kind }: Tournament): string {
  return sayOf('tournament.kind', kind);
}

/** Who goes on from round to round. */
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

/** One may enter: before it begins, and late where that is open, as long as there is room. */
export function mayEnter(t: Told, now: number): boolean {
  const late = t.state === 'running' && t.late_until !== null && Date.parse(t.late_until) > now;
  return t.own === null && (t.state === 'open' || late) && t.people + t.bots < t.entries_max;
}

export function mayWithdraw(t: Told): boolean {
  return t.own !== null && t.state === 'open';
}

/** The purse does not hold what an entry costs: there are ways to more. */
export function isShort(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'no_funds';
}

/** Why somebody did not get in or out. What is short for a table is a stake, here it is the entry. */
export function refusedSaid(error: unknown, { entry }: Tournament): string {
  return isShort(error) ? say('tournament.short', { n: entry }) : sentence(error);
}

/** How it stands for somebody who has entered. */
export function ownSaid(t: Told): string {
  const { own } = t;
  if (own === null || t.state === 'cancelled') return '';
  if (t.state === 'open') return say('tournament.entered');
  if (t.teams && own.team !== null) return teamSaid(t.teams, own.team);
  if (own.place !== null) return say('tournament.placed', { place: own.place, n: t.people + t.bots });
  if (own.table_id !== null) return say('tournament.seated', { n: t.round });
  return own.in ? say('tournament.waits') : say('tournament.out');
}

/** Which team won, to somebody of one. */
function teamSaid(teams: NonNullable<Told['teams']>, own: number): string {
  if (isLevel(teams)) return say('tournament.own.level');
  const won = teams.some((team) => team.team === own && team.place === 1);
  return won ? say('tournament.own.won') : say('tournament.own.lost');
}

/** Neither team made more of the cards. */
export function isLevel(teams: NonNullable<Told['teams']>): boolean {
  return teams.every((team) => team.place === 1);
}

/** A margin as points: the server counts sixtieths. */
export function marginSaid(margin: number): string {
  return number(margin / 60, { maximumFractionDigits: 1, signDisplay: 'exceptZero' });
}

/** What part of the others in the same seat somebody beat. */
export function beatsSaid(share: number | null): string {
  return share === null ? '–' : percent(share, 100, 1);
}

/** Everybody may compare what was made of its deal. */
export function isOpen({ deals }: Told, round: number): boolean {
  return deals.some((deal) => deal.round === round);
}

/** A frame that says how tournaments are now, this one among them; without an `id` any. */
export function hasChanged(frame: ServerFrame, id?: string): boolean {
  return (
    frame.t === 'tournaments_changed' && (id === undefined || frame.d.items.some((one) => one.id === id))
  );
}

/** A frame that tells the player of this tournament. */
export function tellsOf(frame: ServerFrame, id: string): boolean {
  if (frame.t !== 'notification') return false;
  const { kind, data } = frame.d;
  return kind.startsWith('tournament_') && (data as { tournament_id?: unknown }).tournament_id === id;
}
