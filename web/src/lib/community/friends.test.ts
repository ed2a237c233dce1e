import { describe, expect, it } from 'vitest';
import { beginningOf, blockSaid, friendshipWith, grouped, named, type Friend } from './friends';

const friend = (player_id: string, nickname: string, state: Friend['state']): Friend => ({
  player_id,
  nickname,
  avatar: 'owl',
  title: 'Ant',
  state,
});
const ALL = [
  friend('1', 'Zoe', 'friends'),
  friend('2', 'Ben', 'friends'),
  friend('3', 'Al', 'asked'),
  friend('4', 'Cy', 'asks'),
];

describe('friends', () => {
  it('are grouped, requests first, and sorted by name in each group', () => {
    expect(grouped(ALL).map((g) => [g.state, g.items.map((f) => f.nickname)])).toEqual([
      ['asks', ['Cy']],
      ['friends', ['Ben', 'Zoe']],
      ['asked', ['Al']],
    ]);
    expect(grouped([])).toEqual([]);
    expect(ALL[0]?.nickname).toBe('Zoe');
  });
  it('of the same name stand by number', () => {
    expect(
      grouped([friend('10', 'A', 'friends'), friend('9', 'A', 'friends')])[0]?.items.map((f) => f.player_id),
    ).toEqual(['9', '10']);
  });
  it('are found by any part of their name, without accents and capitals', () => {
    const all = [
      friend('1', 'Zoë', 'friends'),
      friend('2', 'Čeda', 'friends'),
      friend('3', 'Noor', 'friends'),
    ];
    const found = (typed: string) => named(all, typed).map((f) => f.player_id);
    expect([found('oe'), found(' ced '), found('OO'), found('x'), found('')]).toEqual([
      ['1'],
      ['2'],
      ['3'],
      [],
      ['1', '2', '3'],
    ]);
  });
  it('are looked up', () => {
    expect([friendshipWith(ALL, '3'), friendshipWith(ALL, '9')]).toEqual(['asked', 'none']);
  });
});

describe('who is muted or blocked', () => {
  it('is muted, blocked or both', () => {
    expect(blockSaid({ muted: true, blocked: false })).toBe('muted');
    expect(blockSaid({ muted: true, blocked: true })).toBe('muted, blocked');
  });
});

describe('the text typed to find a player', () => {
  it.each([
    ['Ben', 'Ben'],
    ['  Ben  ', 'Ben'],
    ['Be', ''],
    ['B  ', ''],
    ['', ''],
    ['राम', 'राम'],
    ['🐈🐈', ''],
    ['ben@example.org', ''],
  ])('%j searches for %j', (typed, asked) => {
    expect(beginningOf(typed)).toBe(asked);
  });
});
