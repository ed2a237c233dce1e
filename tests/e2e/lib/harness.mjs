/* Assertions and waits besides Playwright's `expect`, and the short and long forms of tests. */
export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export function equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a}, expected ${b}`);
}

/** RUMMY_LONG=1: the long forms, which take many minutes (scripts/test games windows). */
export const LONG = process.env.RUMMY_LONG === '1';

/** RUMMY_STRICT_TIMES=1: checks documented times, on an otherwise idle machine (make nightly). */
export const STRICT_TIMES = process.env.RUMMY_STRICT_TIMES === '1';

/** A selection of the names; in the long form, all of them. */
export const short = (all, ...names) =>
  LONG ? all : Object.fromEntries(names.map((name) => [name, all[name]]));

/** The language in which a test runs; in the long form, all of its languages. */
export const languages = (all, ...one) => (LONG ? all : one);

/** Only a hang takes this long, even on a starved machine. */
export const HANG_MS = 120_000;

/** Waits until `probe` returns the expected value: the page may still be changing. */
export async function becomes(probe, expected, what) {
  let found;
  const same = async () => JSON.stringify((found = await probe())) === JSON.stringify(expected);
  await until(same, what, HANG_MS).catch(() => equal(found, expected, what));
}

/** Waits until there are `n` matches. */
export const counted = (locator, n, what) => becomes(() => locator.count(), n, what);

/** Pauses between two probes: a probe of the page or of the database takes milliseconds of several processes,
 * so a long wait probes less often. */
const PAUSES_MS = [20, 30, 50, 100, 200];

/** Waits until `probe` returns a truthy value. */
export async function until(probe, what, ms = HANG_MS) {
  const end = Date.now() + ms;
  for (let n = 0; ; n++) {
    const got = await probe();
    if (got) return got;
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((done) => setTimeout(done, PAUSES_MS[n] ?? PAUSES_MS.at(-1)));
  }
}
