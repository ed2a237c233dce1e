import { describe, expect, it } from 'vitest';
import { addressOf, placeOf, SECTIONS } from './addresses';

describe('the addresses of the operators’ page', () => {
  it('lead to every section and back', () => {
    for (const { id } of SECTIONS) expect(placeOf(addressOf(id))).toEqual({ section: id, id: '' });
    expect(placeOf('/admin')).toEqual({ section: 'overview', id: '' });
    expect(placeOf('/admin/')).toEqual({ section: 'overview', id: '' });
    expect(placeOf(addressOf('players', '42'))).toEqual({ section: 'players', id: '42' });
  });

  it('carry what a list is bounded by', () => {
    expect(addressOf('orders', '', { player: '42', state: 'paid' })).toBe(
      '/admin/orders?player=42&state=paid',
    );
  });

  it.each([
    '/admin/nosuch',
    '/admin/players/mia',
    '/admin/rooms/1',
    '/admin/players/42/7',
    '/players/42',
    '/',
  ])('are none of the page’s: %s', (path) => expect(placeOf(path).section).toBe('unknown'));
});
