import { describe, expect, test } from 'vitest';
import { DEFAULTS, settingsOf, VOLUME_MAX } from './settings';

describe('settings that a browser kept', () => {
  test('come back as they were set', () => {
    const set = {
      volume: 3,
      vibration: false,
      cardSize: 'large',
      back: 'waves',
      theme: 'felt',
      look: 'light',
      fourColour: true,
      leftHanded: true,
      confirmThrow: true,
      sortDrawn: true,
      speed: 'quick',
      emotes: false,
      coach: true,
    };
    expect(settingsOf(JSON.parse(JSON.stringify(set)))).toEqual(set);
  });

  test.each([null, undefined, 7, 'x', true, [], [1, 2], {}])('%j is the defaults', (kept) => {
    expect(settingsOf(kept)).toEqual(DEFAULTS);
  });

  test.each([
    ['volume', -1],
    ['volume', VOLUME_MAX + 1],
    ['volume', 2.5],
    ['volume', '3'],
    ['volume', null],
    ['vibration', 'false'],
    ['cardSize', 'huge'],
    ['back', 'url(https://example.org)'],
    ['theme', '"><script>'],
    ['theme', 'toString'],
    ['look', 'sepia'],
    ['fourColour', 1],
    ['leftHanded', {}],
    ['confirmThrow', []],
    ['speed', 0],
    ['emotes', null],
  ])('%s may not be %j', (name, value) => {
    expect(settingsOf({ [name]: value })).toEqual(DEFAULTS);
  });

  test('a bad one takes no good one with it, and what is unknown is left behind', () => {
    const kept = JSON.parse('{"volume":99,"theme":"felt","__proto__":{"emotes":false},"admin":true}');
    expect(settingsOf(kept)).toEqual({ ...DEFAULTS, theme: 'felt' });
  });

  test('what stands on a prototype is not theirs', () => {
    expect(settingsOf(Object.create({ emotes: false }))).toEqual(DEFAULTS);
  });
});
