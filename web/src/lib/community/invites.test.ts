import { describe, expect, it } from 'vitest';
import { invitationOpen, invitedSaid, inviteLink, tidyInvite } from './invites';

const NOW = Date.parse('2026-11-21T12:00:00.000Z');

describe('an invitation', () => {
  it.each([
    ['5f0c 6cf2', '5F0C6CF2'],
    [' 5F0C-6CF2 ', '5F0C6CF2'],
    ['https://rummy.example/invite/5F0C6CF2', '5F0C6CF2'],
    ['', ''],
  ])('is typed as %s', (typed, code) => {
    expect(tidyInvite(typed)).toBe(code);
  });
  it('has a link', () => {
    expect(tidyInvite(inviteLink('https://rummy.example', '5F0C6CF2'))).toBe('5F0C6CF2');
  });
  it('is for new registered accounts', () => {
    const account = (kind: 'guest' | 'registered', hours: number) => ({
      kind,
      created_at: new Date(NOW - hours * 3_600_000).toISOString(),
    });
    expect(invitationOpen(account('registered', 23), NOW)).toBe('open');
    expect(invitationOpen(account('registered', 24), NOW)).toBe('late');
    expect(invitationOpen(account('guest', 1), NOW)).toBe('guest');
  });
  it('becomes something', () => {
    expect([invitedSaid('open'), invitedSaid('over')]).toEqual(['on the way', 'over the limit']);
  });
});
