import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { useFonts, useKeptFonts } from './fonts';

const kept = new Map<string, string>();
const asked: string[] = [];
let classes: Set<string>;

beforeEach(() => {
  kept.clear();
  asked.length = 0;
  classes = new Set();
  vi.stubGlobal('localStorage', {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  });
});
afterEach(() => vi.unstubAllGlobals());

function onLine(comes: boolean): void {
  const load = (font: string) => (
    asked.push(font),
    comes ? Promise.resolve([]) : Promise.reject(new Error('lost'))
  );
  vi.stubGlobal('document', {
    documentElement: {
      classList: { contains: (name: string) => classes.has(name), add: (name: string) => classes.add(name) },
    },
    fonts: { load },
  });
}
const settle = () => new Promise((done) => setTimeout(done));

it('asks for them when they are to be used, and once', () => {
  onLine(true);
  useKeptFonts();
  expect([[...classes], asked]).toEqual([[], []]);
  useFonts();
  useFonts();
  expect([...classes]).toEqual(['own-fonts']);
  expect(asked).toHaveLength(2);
});

it('uses them from the beginning where they came before', async () => {
  onLine(true);
  useFonts();
  await settle();
  classes.clear();
  onLine(true);
  useKeptFonts();
  expect([...classes]).toEqual(['own-fonts']);
});

it('does not take them for kept when they did not come', async () => {
  onLine(false);
  useFonts();
  await settle();
  expect(kept.size).toBe(0);
});
