import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { Sending } from './sending.svelte';

beforeEach(() => vi.useFakeTimers());
afterEach(() => vi.useRealTimers());

/** A command, and a function that delivers its reply. */
function command() {
  let answer: (text: string) => void = () => undefined;
  const answered = new Promise<string>((resolve) => (answer = resolve));
  return { answered, answer };
}

describe('a command on its way', () => {
  it('is shown after 1.5 s, until it is acknowledged', async () => {
    const sending = new Sending();
    const { answered, answer } = command();
    const reply = sending.follow(answered);
    await vi.advanceTimersByTimeAsync(1499);
    expect(sending.long).toBe(false);
    await vi.advanceTimersByTimeAsync(1);
    expect(sending.long).toBe(true);
    answer('ack');
    expect(await reply).toBe('ack');
    expect(sending.long).toBe(false);
  });

  it('that is answered soon is not told of', async () => {
    const sending = new Sending();
    const { answered, answer } = command();
    const reply = sending.follow(answered);
    await vi.advanceTimersByTimeAsync(1000);
    answer('ack');
    await reply;
    await vi.advanceTimersByTimeAsync(5000);
    expect(sending.long).toBe(false);
  });
});
