import { describe, expect, it } from 'vitest';
import { invitedSaid, inviteLink, notAcceptable, tidyInvite } from './invites';

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
  it.each([
    ['guest', 'Only registered players'],
    ['late', 'on the day you create your account'],
    ['used', 'already accepted'],
  ])('is not for %s', (acceptance, words) => {
    expect(notAcceptable(acceptance)).toContain(words);
  });
  it('can be tried when the server allows it, or with an answer that is new to the page', () => {
    expect([notAcceptable('open'), notAcceptable('perhaps')]).toEqual(['', '']);
  });
  it('becomes something', () => {
    expect([invitedSaid('open'), invitedSaid('over')]).toEqual(['on the way', 'over the limit']);
  });
});
