import { describe, expect, it } from 'vitest';
import { titleOf } from './names';

describe('an id', () => {
  it('is a name for people', () => expect(titleOf('win_streak_3')).toBe('Win streak 3'));
});
