import { describe, expect, it } from 'vitest';
import { deviceSaid } from './sessions';

describe('a session is called', () => {
  it.each([
    ['Firefox', 'Linux', 'Firefox on Linux'],
    ['RummyApp', null, 'RummyApp'],
    [null, 'Android', 'Android'],
    [null, null, 'A device'],
  ])('by %s and %s', (app, system, said) => {
    expect(deviceSaid({ app, system })).toBe(said);
  });
});
