/* Texts that a timer or a counter changes must be excluded from browser translation.
 * tests/e2e/screens/foreign.spec.mjs covers all other texts. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';

/** A clock, or a number that counts up, possibly with text around it. */
const TICKS = /setInterval\(\(\) => \(now = |= counted\(|<Counted [^>]*[^/]>/;
/** The table as a whole is excluded from translation (lib/board/TableView.svelte), and the progress bar has
 * no changing text. */
const COVERED = /^lib\/board\/|^lib\/profile\/Progress\.svelte$/;

it('are marked wherever a component has one', () => {
  const files = readdirSync('src', { recursive: true, encoding: 'utf8' }).filter((file) =>
    file.endsWith('.svelte'),
  );
  const ticking = files.filter((file) => TICKS.test(readFileSync(join('src', file), 'utf8')));
  expect(ticking.length).toBeGreaterThan(5);
  const unmarked = ticking.filter(
    (file) => !COVERED.test(file) && !readFileSync(join('src', file), 'utf8').includes('translate="no"'),
  );
  expect(unmarked).toEqual([]);
});

it.each(['lib/board/TableView.svelte', 'lib/replay/ReplayTable.svelte'])('marks the table of %s', (file) => {
  expect(readFileSync(join('src', file), 'utf8')).toMatch(/class="table-page [^>]*translate="no"/);
});
