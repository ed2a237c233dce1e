import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { colorSchemeOf } from './color-scheme';

it.each([
  ['system', true, 'light'],
  ['system', false, 'dark'],
  ['dark', true, 'dark'],
  ['light', false, 'light'],
] as const)('%s with a light system (%s) is %s', (setting, light, look) => {
  expect(colorSchemeOf(setting, light)).toBe(look);
});

it.each(['index.html', 'admin/index.html'])('%s begins with the bar of either look', (name) => {
  const page = readFileSync(name, 'utf8');
  const sheet = readFileSync('src/app.css', 'utf8');
  const grounds = [...sheet.matchAll(/--night-1: (#\w+)/g)].map(([, color]) => color);
  const bars = [...page.matchAll(/"theme-color" content="(#\w+)"/g)].map(([, color]) => color);
  expect(bars).toEqual(grounds);
});
