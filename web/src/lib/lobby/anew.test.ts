import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Anew, HEAL_MS, STEADY_MS, TOLD_MS } from './anew';

describe('what changes by itself', () => {
  let heals = STEADY_MS;
  const read = vi.fn();
  const reads = () => read.mock.calls.length;
  let anew: Anew;

  beforeEach(() => {
    vi.useFakeTimers();
    read.mockClear();
    heals = STEADY_MS;
    anew = new Anew(read, () => heals);
    anew.start();
  });
  afterEach(() => {
    anew.stop();
    vi.useRealTimers();
  });

  it('is reloaded at once after a notice', () => {
    vi.advanceTimersByTime(TOLD_MS);
    anew.told();
    expect(reads()).toBe(2);
  });

  it('is reloaded once for all notices that follow shortly, when the interval ends', () => {
    vi.advanceTimersByTime(TOLD_MS);
    for (let i = 0; i < 9; i++) anew.told();
    vi.advanceTimersByTime(TOLD_MS - 1);
    expect(reads()).toBe(2);
    vi.advanceTimersByTime(1);
    expect(reads()).toBe(3);
    vi.advanceTimersByTime(TOLD_MS);
    expect(reads()).toBe(3);
  });

  it('is reloaded in any case, less often if all changes bring notices', () => {
    vi.advanceTimersByTime(STEADY_MS - 1);
    expect(reads()).toBe(1);
    vi.advanceTimersByTime(1);
    expect(reads()).toBe(2);
    heals = HEAL_MS;
    vi.advanceTimersByTime(2 * HEAL_MS);
    expect(reads()).toBe(4);
    heals = Infinity;
    vi.advanceTimersByTime(2 * STEADY_MS);
    expect(reads()).toBe(4);
  });

  it('is not read any more after the end', () => {
    anew.told();
    anew.stop();
    vi.advanceTimersByTime(2 * STEADY_MS);
    expect(reads()).toBe(1);
  });
});
