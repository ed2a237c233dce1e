import { describe, expect, it } from 'vitest';
import { say, sayOf, sayPosting } from './messages';

describe('messages', () => {
  it('put values where the sentence wants them', () => {
    expect(say('room.room_locked', { title: 'Frog', level: 6 })).toBe('You need the title Frog (level 6).');
  });

  it('keep a value from right to left apart from what follows it', () => {
    expect(say('room.room_locked', { title: 'محمد', level: 6 })).toBe(
      'You need the title \u2068محمد\u2069 (level 6).',
    );
  });

  it('give the code itself where there is no sentence', () => {
    expect(sayOf('posting', 'what_is_new')).toBe('what_is_new');
  });

  it('say what a posting was for, and at which table', () => {
    expect(sayPosting({ cause: 'welcome', table_id: null })).toBe('Welcome chips');
    expect(sayPosting({ cause: 'stake', table_id: '917' })).toBe('Stake at table 917');
  });
});
