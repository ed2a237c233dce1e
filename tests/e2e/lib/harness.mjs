/* What the tests check with and wait for, besides Playwright's `expect`, and the forms in which they run. */
export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export function equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a}, expected ${b}`);
}

/** RUMMY_LONG=1: the long forms, which take many minutes (scripts/test games windows). */
export const LONG = process.env.RUMMY_LONG === '1';

/** RUMMY_STRICT_TIMES=1: times that are promised are held to, on a machine that does nothing else (make nightly). */
export const STRICT_TIMES = process.env.RUMMY_STRICT_TIMES === '1';

/** Of all that is named these; in the long form every one. */
export const short = (all, ...names) =>
  LONG ? all : Object.fromEntries(names.map((name) => [name, all[name]]));

/** Only a hang reaches it, also on a machine that is starved. */
export const HANG_MS = 120_000;

/** Waits until `probe` gives what is expected: what the page shows may still be on its way there. */
export async function becomes(probe, expected, what) {
  let found;
  const same = async () => JSON.stringify((found = await probe())) === JSON.stringify(expected);
  await until(same, what, HANG_MS).catch(() => equal(found, expected, what));
}

/** Waits until there are `n` of them. */
export const counted = (locator, n, what) => becomes(() => locator.count(), n, what);

/** Waits until `probe` gives something true. */
export async function until(probe, what, ms = HANG_MS) {
  const end = Date.now() + ms;
  for (;;) {
    const got = await probe();
    if (got) return got;
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
