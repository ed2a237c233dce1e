import { describe, expect, it } from 'vitest';
import { ApiError, type components, type ServerFrame } from '@rummyd/client';
import {
  beatsSaid,
  hasChanged,
  isLevel,
  isOpen,
  isShort,
  kindSaid,
  marginSaid,
  mayEnter,
  mayWithdraw,
  ownSaid,
  refusedSaid,
  stageOf,
  tellsOf,
  waySaid,
  whenSaid,
  type Told,
} from './tournaments';

type Problem = components['schemas']['Problem'];

const NOW = Date.parse('2026-11-20T19:30:00.000Z');
const cup: Told = {
  id: '12',
  name: 'Friday cup',
  kind: 'knockout',
  variant: 'straight',
  options: {},
  seats: 4,
  advance: 1,
  keep_percent: null,
  rounds: null,
  entry: 20,
  prize_table: 'standard',
  entries_min: 8,
  entries_max: 8,
  bots_to: 0,
  bot_level: 'medium',
  sit_and_go: true,
  starts_at: null,
  late_s: 0,
  break_s: 30,
  state: 'open',
  reason: null,
  people: 5,
  bots: 0,
  round: 0,
  next_at: null,
  late_until: null,
  commit: 'ba'.repeat(32),
  created_at: '2026-11-20T19:20:00.000Z',
  started_at: null,
  ended_at: null,
  own: null,
  teams: null,
  pot: 100,
  prizes: [],
  draws: [],
  deals: [],
  duplicate: false,
  deal_commit: null,
};
const entry: NonNullable<Told['own']> = {
  tournament_id: '12',
  entry: 6,
  team: null,
  silver: 20,
  gold: 0,
  entered_at: '2026-11-20T19:25:00.000Z',
  in: true,
  round: null,
  table: null,
  seat: null,
  table_id: null,
  score: 0,
  margin: 0,
  place: null,
  prize_silver: 0,
  prize_gold: 0,
};
const running = { ...cup, state: 'running', round: 2 } as const;
const own = (more: Partial<typeof entry> = {}) => ({ ...entry, ...more });

describe('a tournament', () => {
  it('is scheduled or fills up before it is played', () => {
    expect(stageOf(cup)).toBe('filling');
    expect(stageOf({ ...cup, sit_and_go: false })).toBe('scheduled');
    expect(stageOf(running)).toBe('running');
    expect(stageOf({ ...cup, state: 'ended' })).toBe('over');
    expect(stageOf({ ...cup, state: 'cancelled' })).toBe('cancelled');
  });

  it('states the next step, or the result', () => {
    expect(whenSaid(cup, NOW)).toBe('Starts when 3 more players have entered');
    expect(whenSaid({ ...cup, people: 8 }, NOW)).toBe('Starts now');
    expect(whenSaid({ ...cup, starts_at: '2026-11-21T19:30:00.000Z' }, NOW)).toMatch(
      /^Starts when 3 more players have entered, or at \d?\d:30\s?(AM|PM) with bots$/,
    );
    const later = { ...cup, sit_and_go: false, starts_at: '2026-11-21T19:30:00.000Z' };
    expect(whenSaid(later, NOW)).toMatch(/^Starts Sat/);
    expect(whenSaid({ ...later, starts_at: '2026-12-24T19:30:00.000Z' }, NOW)).toMatch(/^Starts Dec\s24, /);
    expect(whenSaid(running, NOW)).toBe('Round 2');
    expect(whenSaid({ ...running, kind: 'swiss', rounds: 5 }, NOW)).toBe('Round 2 of 5');
    expect(whenSaid({ ...cup, state: 'cancelled', reason: 'too_few' }, NOW)).toContain('not enough entries');
  });

  it('states how it is played', () => {
    expect([kindSaid(cup), waySaid(cup)]).toEqual(['Knockout', 'The winner of each table advances.']);
    expect(waySaid({ ...cup, advance: 2 })).toBe('The top 2 of each table advance.');
    expect(waySaid({ ...cup, kind: 'stages', keep_percent: 50 })).toContain('50%');
    expect(waySaid({ ...cup, kind: 'swiss', rounds: 5 })).toBe('Everyone plays 5 rounds.');
  });

  it('can be entered before it begins, and later if late entry is open, while seats are free', () => {
    expect(mayEnter(cup, NOW)).toBe(true);
    expect(mayEnter({ ...cup, people: 7, bots: 1 }, NOW)).toBe(false);
    expect(mayEnter({ ...cup, own: entry }, NOW)).toBe(false);
    expect(mayEnter(running, NOW)).toBe(false);
    const late = { ...running, late_until: '2026-11-20T19:31:00.000Z' };
    expect(mayEnter(late, NOW)).toBe(true);
    expect(mayEnter(late, NOW + 60_000)).toBe(false);
  });

  it('is left before it begins, by who has entered', () => {
    expect([cup, { ...cup, own: entry }, { ...running, own: entry }].map(mayWithdraw)).toEqual([
      false,
      true,
      false,
    ]);
  });

  it('states the price if the player cannot pay it, or else why the entry was refused', () => {
    const refused = (code: string) => new ApiError({ code } as Problem, 409);
    expect(refusedSaid(refused('no_funds'), cup)).toBe('You don’t have enough: the entry costs 20 chips.');
    expect(refusedSaid(refused('no_funds'), { ...cup, entry: 1 })).toMatch(/costs 1 chip\.$/);
    expect(refusedSaid(refused('tournament_full'), cup)).toBe('This tournament is full.');
    expect([refused('no_funds'), refused('tournament_full'), null].map(isShort)).toEqual([
      true,
      false,
      false,
    ]);
  });

  it('states the standing of the player', () => {
    expect(ownSaid(running)).toBe('');
    expect(ownSaid({ ...cup, own: entry })).toBe('You’re in.');
    expect(ownSaid({ ...running, own: own({ table_id: '917' }) })).toContain('your table is waiting');
    expect(ownSaid({ ...running, own: own() })).toContain('when this round is over');
    expect(ownSaid({ ...running, own: own({ in: false, place: 7 }) })).toBe('You finished in place 7 of 5.');
    expect(ownSaid({ ...cup, state: 'cancelled', own: entry })).toBe('');
  });

  it('names the winner of two teams', () => {
    const match: Told = {
      ...cup,
      kind: 'teams',
      seats: 4,
      prize_table: null,
      duplicate: true,
      state: 'ended',
    };
    const made = (one: number, two: number): NonNullable<Told['teams']> => [
      { team: 1, points: 70, tables: [30, 40], place: one },
      { team: 2, points: 15, tables: [10, 5], place: two },
    ];
    const said = (teams: Told['teams'], team: number, place: number) =>
      ownSaid({ ...match, teams, own: { ...entry, in: false, team, place } });
    expect(said(made(1, 5), 1, 1)).toBe('Your team won.');
    expect(said(made(1, 5), 2, 5)).toBe('The other team won.');
    expect(said(made(1, 1), 2, 1)).toBe('The teams tied.');
    expect([kindSaid(match), isLevel(made(1, 5)), isLevel(made(1, 1))]).toEqual(['Two teams', false, true]);
    expect(waySaid(match)).toContain('The points of both tables decide.');
  });

  it('counts margins in points', () => {
    expect([90, 0, -900].map(marginSaid)).toEqual(['+1.5', '0', '−15']);
  });

  it('states the share of others in the same seat that a player beat, to a tenth', () => {
    expect([beatsSaid(66.7), beatsSaid(100), beatsSaid(0), beatsSaid(null)]).toEqual([
      '66.7%',
      '100%',
      '0%',
      '–',
    ]);
  });

  it('shows a deal once the server reveals it', () => {
    const told = { ...cup, duplicate: true, deals: [{ round: 1, seed: '4d'.repeat(32) }] };
    expect([isOpen(told, 1), isOpen(told, 2), isOpen(cup, 1)]).toEqual([true, false, false]);
  });

  it('is updated only by frames with its number', () => {
    const frame = (kind: string, id: string) =>
      ({ t: 'notification', d: { id: '7', at: '', kind, data: { tournament_id: id } } }) as ServerFrame;
    expect(tellsOf(frame('tournament_table', '12'), '12')).toBe(true);
    expect(tellsOf(frame('tournament_table', '13'), '12')).toBe(false);
    expect(tellsOf(frame('level', '12'), '12')).toBe(false);
  });

  it('has changed when a frame for all has it', () => {
    const item = { state: 'open', people: 5, bots: 0, round: 0, next_at: null } as const;
    const frame: ServerFrame = { t: 'tournaments_changed', d: { items: [{ ...item, id: '12' }] } };
    expect([hasChanged(frame, '12'), hasChanged(frame, '13'), hasChanged(frame)]).toEqual([
      true,
      false,
      true,
    ]);
    const other: ServerFrame = { t: 'friends', d: { items: [] } };
    expect([hasChanged(other, '12'), hasChanged(other)]).toEqual([false, false]);
  });
});
