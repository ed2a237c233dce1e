import { describe, expect, it } from 'vitest';
import { nameOf, pageOf } from './addresses';

describe('addresses of the page', () => {
  it.each([
    ['/', { name: 'home' }],
    ['/friends', { name: 'friends' }],
    ['/invites/', { name: 'invites' }],
    ['/invite/5F0C6CF2', { name: 'invite', id: '5F0C6CF2' }],
    ['/notifications', { name: 'notifications' }],
    ['/account', { name: 'account' }],
    ['/verify', { name: 'verify' }],
    ['/reset', { name: 'reset' }],
    ['/undo', { name: 'undo' }],
    ['/unlock', { name: 'unlock' }],
    ['/forgot', { name: 'forgot' }],
    ['/sign-in', { name: 'sign-in' }],
    ['/players/42', { name: 'player', id: '42' }],
    ['/players/me', { name: 'unknown' }],
    ['/games', { name: 'games' }],
    ['/games/7', { name: 'game', id: '7' }],
    ['/games/7/8', { name: 'unknown' }],
    ['/games/7/replay', { name: 'game-replay', id: '7' }],
    ['/games/7/play', { name: 'ghost', id: '7' }],
    ['/games/me/play', { name: 'unknown' }],
    ['/games/me/replay', { name: 'unknown' }],
    ['/games/7/replay/8', { name: 'unknown' }],
    ['/replay', { name: 'replay' }],
    ['/embed/7', { name: 'embed', id: '7' }],
    ['/embed/me', { name: 'unknown' }],
    ['/rules', { name: 'rules' }],
    ['/rules/pool101', { name: 'rulebook', id: 'pool101' }],
    ['/lessons', { name: 'lessons' }],
    ['/lessons/rami', { name: 'path', id: 'rami' }],
    ['/lessons/rami/jokers', { name: 'lesson', id: 'rami', lesson: 'jokers' }],
    ['/lessons/rami/jokers/2', { name: 'unknown' }],
    ['/lessons//jokers', { name: 'unknown' }],
    ['/rules/pool101/score-sheet', { name: 'sheet', id: 'pool101' }],
    ['/players', { name: 'unknown' }],
    ['/friends/7', { name: 'unknown' }],
    ['/tournaments', { name: 'tournaments' }],
    ['/tournaments/12', { name: 'tournament', id: '12' }],
    ['/tournaments/x', { name: 'unknown' }],
    ['/table/12', { name: 'table', id: '12' }],
    ['/watch/12', { name: 'watch', id: '12', code: '' }],
    ['/join/K7WQ2M', { name: 'join', id: 'K7WQ2M' }],
    ['/constructor/7', { name: 'unknown' }],
  ])('%s', (path, page) => {
    expect(pageOf(path)).toEqual(page);
  });
});

describe('the name of a page', () => {
  it.each([
    ['/', 'Lobby · Rummy 51'],
    ['/join/K7WQ2M', 'Join a table · Rummy 51'],
    ['/wallet', 'Wallet · Rummy 51'],
    ['/table/12', 'Table 12 · Rummy 51'],
    ['/watch/12/K7WQ2M', 'Table 12 · Rummy 51'],
    ['/games', 'Games · Rummy 51'],
    ['/games/7', 'Game 7 · Rummy 51'],
    ['/invite/5F0C6CF2', 'Invitations · Rummy 51'],
    ['/players/42', 'Player · Rummy 51'],
    ['/verify', 'Email address · Rummy 51'],
    ['/reset', 'New password · Rummy 51'],
    ['/sign-in', 'Signing in · Rummy 51'],
    ['/rules/rami', 'Rules · Rummy 51'],
    ['/tournaments/12', 'Tournament · Rummy 51'],
    ['/nosuch', 'Nothing here · Rummy 51'],
  ])('%s', (path, name) => {
    expect(nameOf(pageOf(path))).toBe(name);
  });
});
