import { describe, expect, it } from 'vitest';
import type { Variant } from '$lib/api/client';
import {
  changed,
  defaults,
  described,
  isSwitch,
  joinLink,
  labelOf,
  seatRange,
  tidyCode,
  watchLink,
} from './options';

const STRAIGHT: Variant = {
  id: 'straight',
  seats_min: 2,
  seats_max: 4,
  options: [
    { name: 'ace', least: 0, greatest: 1, default: null, default_word: 'low', values: ['low', 'high'] },
    { name: 'target', least: 50, greatest: 500, default: 150, default_word: null, values: null },
    { name: 'some_rule', least: 0, greatest: 1, default: 0, default_word: null, values: null },
  ],
};

describe('options of a table', () => {
  it('begin with what the variant has', () => {
    expect(defaults(STRAIGHT)).toEqual({ ace: 'low', target: 150, some_rule: 0 });
    expect(changed(STRAIGHT, defaults(STRAIGHT))).toEqual({});
  });
  it('are sent when they differ, numbers within their range', () => {
    expect(changed(STRAIGHT, { ace: 'high', target: 9999, some_rule: 1 })).toEqual({
      ace: 'high',
      target: 500,
      some_rule: 1,
    });
    expect(changed(STRAIGHT, { target: 99.6 })).toEqual({ target: 100 });
  });
  it('have texts, even if no text was written for the value', () => {
    expect(labelOf('target')).toBe('Play to');
    expect(labelOf('some_rule')).toBe('Some rule');
    expect(described({ target: 100, ace: 'high' }, null)).toBe('Play to: 100 · The ace is: high');
    expect(described({ target: 100 }, 24)).toBe('Play to: 100 · Time for each turn: 24 h');
    expect(described({}, null)).toBe('');
    expect(STRAIGHT.options.map(isSwitch)).toEqual([false, false, true]);
  });
  it('know how many may sit', () => {
    expect(seatRange(STRAIGHT)).toEqual([2, 3, 4]);
  });
});

describe('the code of a private table', () => {
  it('is read however it was typed', () => {
    expect(tidyCode(' k7wq-2m ')).toBe('K7WQ2M');
    expect(watchLink('http://x', '7', 'K7WQ2M')).toBe('http://x/watch/7/K7WQ2M');
    expect(watchLink('http://x', '7', '')).toBe('http://x/watch/7');
    expect(joinLink('http://x', 'K7WQ2M')).toBe('http://x/join/K7WQ2M');
  });
});
