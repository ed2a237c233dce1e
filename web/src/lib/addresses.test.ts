import { describe, expect, it } from 'vitest';
import { pageOf } from './addresses';

describe('addresses of the page', () => {
  it.each([
    ['/', { name: 'home' }],
    ['/friends', { name: 'friends' }],
    ['/invites/', { name: 'invites' }],
    ['/invite/5F0C6CF2', { name: 'invite', id: '5F0C6CF2' }],
    ['/notifications', { name: 'notifications' }],
    ['/account', { name: 'account' }],
    ['/players/42', { name: 'player', id: '42' }],
    ['/players/me', { name: 'unknown' }],
    ['/games', { name: 'games' }],
    ['/games/7', { name: 'game', id: '7' }],
    ['/games/7/8', { name: 'unknown' }],
    ['/players', { name: 'unknown' }],
    ['/friends/7', { name: 'unknown' }],
    ['/table/12', { name: 'table', id: '12' }],
    ['/watch/12', { name: 'watch', id: '12', code: '' }],
    ['/join/K7WQ2M', { name: 'join', id: 'K7WQ2M' }],
    ['/constructor/7', { name: 'unknown' }],
  ])('%s', (path, page) => {
    expect(pageOf(path)).toEqual(page);
  });
});
