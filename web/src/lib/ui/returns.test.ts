import { describe, expect, it, vi } from 'vitest';
import { Returns } from './returns';

describe('a line', () => {
  it('that opens for the first time has not come back', () => {
    const [returns, work] = [new Returns(), vi.fn()];
    returns.listen(work);
    for (const status of ['connecting', 'lost', 'open'] as const) returns.status(status);
    expect([work.mock.calls.length, returns.lost]).toEqual([0, false]);
  });

  it('that was lost comes back once, however many tries it took', () => {
    const [returns, work] = [new Returns(), vi.fn()];
    const deaf = returns.listen(work);
    for (const status of ['open', 'lost', 'connecting', 'lost'] as const) returns.status(status);
    expect([work.mock.calls.length, returns.lost]).toEqual([0, true]);
    for (const status of ['open', 'open'] as const) returns.status(status);
    expect([work.mock.calls.length, returns.lost]).toEqual([1, false]);
    deaf();
    for (const status of ['lost', 'open'] as const) returns.status(status);
    expect(work).toHaveBeenCalledTimes(1);
  });

  it('that another window has is not lost', () => {
    const returns = new Returns();
    for (const status of ['open', 'replaced'] as const) returns.status(status);
    expect(returns.lost).toBe(false);
  });

  it('that was closed on purpose has not come back when it opens', () => {
    const [returns, work] = [new Returns(), vi.fn()];
    returns.listen(work);
    returns.status('open');
    returns.forget();
    for (const status of ['connecting', 'open'] as const) returns.status(status);
    expect(work).not.toHaveBeenCalled();
  });
});
