import { beforeEach, describe, expect, test, vi } from 'vitest';
import type { TableEvent } from '@rummyd/client';
import { cuesOf } from './cues';

const event = (t: string, seat: number | null, d: object = {}) =>
  ({ v: 1, t, seat, d }) as unknown as TableEvent;

describe('which sound an event has', () => {
  test.each([
    ['dealt', 0, {}, 'deal'],
    ['drew', 0, { from: 'stock' }, 'draw'],
    ['discarded', 0, { cards: ['4C1'] }, 'throw'],
    ['melded', 0, {}, 'meld'],
    ['laid_off', 0, {}, 'meld'],
    ['swapped', 0, {}, 'meld'],
    ['turn', 0, {}, 'turn'],
  ])('%s of seat %d', (t, seat, d, sound) => {
    expect(cuesOf([event(t, seat, d)], 0)).toEqual([{ sound, quiet: false }]);
  });

  test('what others do is quieter, and their turn is none', () => {
    expect(cuesOf([event('drew', 2), event('turn', 2)], 0)).toEqual([{ sound: 'draw', quiet: true }]);
  });

  test('together each sounds once, as loud as its loudest', () => {
    const events = [event('melded', 2), event('melded', 0), event('laid_off', 2), event('discarded', 2)];
    expect(cuesOf(events, 0)).toEqual([
      { sound: 'meld', quiet: false },
      { sound: 'throw', quiet: true },
    ]);
  });

  test('only the own win is one, and it sounds once', () => {
    const end = (me: number) => [
      event('hand_ended', null, { winner: me, ending: 'out', rummy: false }),
      event('session_ended', null, { winner: me, winners: [me], totals: [] }),
    ];
    expect(cuesOf(end(0), 0)).toEqual([{ sound: 'win', quiet: false }]);
    expect(cuesOf(end(1), 0)).toEqual([]);
    expect(cuesOf(end(0), null)).toEqual([]);
  });
});

/** Counts started sounds, and their gains. */
class FakeAudio {
  static all: FakeAudio[] = [];
  state = 'running';
  currentTime = 0;
  sampleRate = 8000;
  destination = {};
  started = 0;
  loudest = 0;
  constructor() {
    FakeAudio.all.push(this);
  }
  private param = () => ({
    value: 0,
    setValueAtTime: () => undefined,
    exponentialRampToValueAtTime: (to: number) => to,
  });
  private node = () => ({ connect: () => undefined, disconnect: () => undefined });
  createGain = () => {
    const ramp = (to: number) => (this.loudest = Math.max(this.loudest, to));
    return { ...this.node(), gain: { ...this.param(), exponentialRampToValueAtTime: ramp } };
  };
  private source = () => ({ ...this.node(), start: () => void this.started++, stop: () => undefined });
  createOscillator = () => ({ ...this.source(), frequency: this.param() });
  createBufferSource = () => ({ ...this.source(), buffer: null });
  createBiquadFilter = () => ({ ...this.node(), Q: this.param(), frequency: this.param() });
  createBuffer = (_: number, n: number) => ({ getChannelData: () => new Float32Array(n) });
}

describe('a player hears and feels', () => {
  const vibrate = vi.fn();
  const page = {
    hidden: false,
    documentElement: { toggleAttribute: () => true, dataset: {} },
    querySelectorAll: () => [],
  };
  let touch: () => void;

  /** A fresh page before any interaction. */
  async function fresh(settings = {}) {
    vi.resetModules();
    const { prefs } = await import('$lib/prefs.svelte');
    prefs.set(settings);
    const { feel } = await import('./feel');
    const { awaitTouch } = await import('./touch');
    awaitTouch();
    return feel;
  }

  beforeEach(() => {
    FakeAudio.all = [];
    vibrate.mockClear();
    page.hidden = false;
    vi.stubGlobal('AudioContext', FakeAudio);
    vi.stubGlobal('document', page);
    vi.stubGlobal('matchMedia', () => ({ matches: false }));
    vi.stubGlobal('navigator', { vibrate, languages: ['en'] });
    vi.stubGlobal('addEventListener', (_: string, first: () => void) => (touch = first));
    vi.stubGlobal('removeEventListener', () => undefined);
  });

  test('nothing before the first touch', async () => {
    const feel = await fresh();
    await feel('turn');
    expect(FakeAudio.all).toEqual([]);
    expect(vibrate).not.toHaveBeenCalled();
  });

  test('each sound once, all by one synthesizer', async () => {
    const feel = await fresh();
    touch();
    await feel('turn');
    expect(FakeAudio.all.map((a) => a.started)).toEqual([2]);
    await feel('late');
    expect(FakeAudio.all.map((a) => a.started)).toEqual([3]);
    expect(vibrate.mock.calls).toEqual([[[60, 50, 60]], [[25]]]);
  });

  test('others more quietly', async () => {
    const [own, other] = [await fresh(), await fresh()];
    touch();
    await other('throw', true);
    const quiet = FakeAudio.all[0]?.loudest ?? 0;
    await own('throw');
    expect(quiet).toBeGreaterThan(0);
    expect(FakeAudio.all).toHaveLength(1); // the other page had no interaction
    await other('throw');
    expect(FakeAudio.all[0]?.loudest).toBeGreaterThan(quiet * 2);
  });

  test('silence when it is off', async () => {
    const feel = await fresh({ volume: 0, vibration: false });
    touch();
    await feel('win');
    expect(FakeAudio.all).toEqual([]);
    expect(vibrate).not.toHaveBeenCalled();
  });

  test('of a hidden page only the own turn', async () => {
    const feel = await fresh();
    touch();
    page.hidden = true;
    await feel('throw');
    await feel('win');
    expect(FakeAudio.all).toEqual([]);
    await feel('turn');
    expect(FakeAudio.all.map((a) => a.started)).toEqual([2]);
  });
});
