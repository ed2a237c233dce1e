/* The smallest test runner: named tests in order, a line for each, a sum at the end. */
let passed = 0;
let failed = 0;
let timeouts = 0;

/** What one test leaves open makes those after it wait in vain, two minutes each: then the part ends. */
const TIMEOUTS_OF_PART = 3;

export function check(condition, what) {
  if (!condition) throw new Error(what);
}

export function equal(actual, expected, what) {
  const [a, b] = [JSON.stringify(actual), JSON.stringify(expected)];
  if (a !== b) throw new Error(`${what}: ${a}, expected ${b}`);
}

/** RUMMY_LONG=1: the long forms, which take many minutes (scripts/test games windows). */
export const LONG = process.env.RUMMY_LONG === '1';

/** Of all that is named these; in the long form every one. */
export const short = (all, ...names) => (LONG ? all : Object.fromEntries(names.map((name) => [name, all[name]])));

/** E2E_ONLY: a pattern of the names of the tests to be run, while one works on them. */
const ONLY = process.env.E2E_ONLY ? new RegExp(process.env.E2E_ONLY) : null;

export async function test(name, work) {
  if (ONLY && !ONLY.test(name)) return;
  const began = Date.now();
  try {
    await work();
    passed++;
    console.log(`ok    ${name} (${Date.now() - began} ms)`);
  } catch (error) {
    fail(name, error);
    if (/Timeout \d+ms exceeded|not within \d+ ms/.test(error) && ++timeouts === TIMEOUTS_OF_PART) throw new Error(`ended after ${timeouts} timeouts`);
  }
}

function fail(name, error) {
  failed++;
  console.log(`FAIL  ${name}\n      ${String(error.stack ?? error).replaceAll('\n', '\n      ')}`);
}

/** Several tests that belong together: what goes wrong between them is a failure of the whole, and the end of it. */
export async function part(name, work) {
  timeouts = 0;
  try {
    await work();
  } catch (error) {
    fail(name, error);
  }
}

/** Prints the sum and sets the exit code. */
export function sum() {
  console.log(`${passed} passed, ${failed} failed`);
  process.exitCode = failed > 0 || passed === 0 ? 1 : 0;
}

const BECOMES_MS = 20_000;

/** Waits until `probe` gives what is expected: what the page shows may still be on its way there. */
export async function becomes(probe, expected, what) {
  let found;
  const same = async () => JSON.stringify((found = await probe())) === JSON.stringify(expected);
  await until(same, what, BECOMES_MS).catch(() => equal(found, expected, what));
}

/** Waits until there are `n` of them. */
export const counted = (locator, n, what) => becomes(() => locator.count(), n, what);

/** Waits until `probe` gives something true. */
export async function until(probe, what, ms = 60_000) {
  const end = Date.now() + ms;
  for (;;) {
    const got = await probe();
    if (got) return got;
    if (Date.now() > end) throw new Error(`${what}: not within ${ms} ms`);
    await new Promise((done) => setTimeout(done, 50));
  }
}
