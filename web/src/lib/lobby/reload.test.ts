import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Reloader, HEAL_MS, STEADY_MS, REPORT_MS } from './reload';

describe('what changes by itself', () => {
  let heals = STEADY_MS;
  const read = vi.fn();
  const reads = () => read.mock.calls.length;
  let reloader: Reloader;

  beforeEach(() => {
    vi.useFakeTimers();
    read.mockClear();
    heals = STEADY_MS;
    reloader = new Reloader(read, () => heals);
    reloader.start();
  });
  afterEach(() => {
    reloader.stop();
    vi.useRealTimers();
  });

  it('is reloaded at once after a notice', () => {
    vi.advanceTimersByTime(REPORT_MS);
    reloader.told();
    expect(reads()).toBe(2);
  });

  it('is reloaded once for all notices that follow shortly, when the interval ends', () => {
    vi.advanceTimersByTime(REPORT_MS);
    for (let i = 0; i < 9; i++) reloader.told();
    vi.advanceTimersByTime(REPORT_MS - 1);
    expect(reads()).toBe(2);
    vi.advanceTimersByTime(1);
    expect(reads()).toBe(3);
    vi.advanceTimersByTime(REPORT_MS);
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

  it('is no longer read after the end', () => {
    reloader.told();
    reloader.stop();
    vi.advanceTimersByTime(2 * STEADY_MS);
    expect(reads()).toBe(1);
  });
});
