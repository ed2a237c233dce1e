/* The deal, repeated in the browser (docs/fairness.md): anyone who knows the revealed server seed and the
 * client seeds can prove that the commitment was kept and that the cards follow from the seeds. Uses only
 * WebCrypto, which needs a secure context (https or localhost). */
import { say } from '$lib/messages/messages';
import { RANKS, SUITS, type Card } from '$lib/cards/cards';
import type { Fairness } from '@rummyd/client';
import { dealtEach, rulesOf, type Row, type Rules } from '$lib/rules/rules';
import { engineDeals } from './engine';

const LABEL = 'rummy-deal-1';

export function fromHex(text: string): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(text.length / 2);
  for (let i = 0; i < bytes.length; i++) bytes[i] = parseInt(text.slice(2 * i, 2 * i + 2), 16);
  return bytes;
}

export function toHex(bytes: ArrayBuffer | Uint8Array): string {
  const view = bytes instanceof Uint8Array ? bytes : new Uint8Array(bytes);
  return Array.from(view, (b) => b.toString(16).padStart(2, '0')).join('');
}

function bigEndian(value: bigint, bytes: number): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(bytes);
  for (let i = bytes - 1, v = value; i >= 0; i--, v >>= 8n) out[i] = Number(v & 255n);
  return out;
}

function concat(parts: Uint8Array[]): Uint8Array<ArrayBuffer> {
  const out = new Uint8Array(parts.reduce((n, p) => n + p.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

async function hmac(
  key: Uint8Array<ArrayBuffer>,
  data: Uint8Array<ArrayBuffer>,
): Promise<Uint8Array<ArrayBuffer>> {
  const imported = await crypto.subtle.importKey('raw', key, { name: 'HMAC', hash: 'SHA-256' }, false, [
    'sign',
  ]);
  return new Uint8Array(await crypto.subtle.sign('HMAC', imported, data));
}

export async function commitOf(serverSeed: string): Promise<string> {
  return toHex(await crypto.subtle.digest('SHA-256', fromHex(serverSeed)));
}

export async function dealKey(fair: Fairness): Promise<Uint8Array<ArrayBuffer>> {
  const seeds = fair.client_seeds.flatMap((text) => {
    const bytes = fromHex(text);
    return [Uint8Array.of(bytes.length), bytes];
  });
  const label = new TextEncoder().encode(LABEL);
  const head = [label, bigEndian(BigInt(fair.table_id), 8), bigEndian(BigInt(fair.hand_no), 4)];
  return hmac(fromHex(fair.server_seed), concat([...head, ...seeds]));
}

/** 32-bit words of HMAC(key, counter), counter from 0. */
function words(key: Uint8Array<ArrayBuffer>): () => Promise<number> {
  let counter = 0n;
  let block: DataView | null = null;
  let at = 0;
  return async () => {
    if (!block || at >= block.byteLength) {
      block = new DataView((await hmac(key, bigEndian(counter++, 8))).buffer);
      at = 0;
    }
    const word = block.getUint32(at);
    at += 4;
    return word;
  };
}

/** Every card of the pack in canonical order: the packs by suit and rank, then the jokers. */
export function canonicalPack(rules: Row): Card[] {
  const cards: Card[] = [];
  for (let pack = 1; pack <= rules.packs; pack++)
    for (const suit of SUITS) for (const rank of RANKS) cards.push(`${rank}${suit}${pack}`);
  for (let i = 1; i <= rules.jokers; i++) cards.push(`X${i}`);
  return cards;
}

/** Unbiased: words in the last, incomplete range of 2^32 are rejected. */
async function below(n: number, next: () => Promise<number>): Promise<number> {
  const limit = 2 ** 32 - (2 ** 32 % n);
  let word = await next();
  while (word >= limit) word = await next();
  return word % n;
}

export interface Deal {
  starter: number;
  hands: Card[][];
}
/** Table settings on which the deal depends, in addition to the seeds. */
export interface Setting {
  rules: Rules;
  /** Starter of a later hand, if it follows from the previous hand; null: drawn after the shuffle. */
  starter: number | null;
  /** Seats that get no cards because they are out of the session. */
  out: readonly number[];
  /** Distinguishes a record from a table: its starter is drawn unless the hand is a later one. */
  later?: boolean;
  /** Cards dealt to each seat according to a record. */
  hands?: readonly (readonly Card[])[];
}
export const RUMMY_51: Setting = { rules: rulesOf('rummy51'), starter: null, out: [] };

async function shuffled(rules: Row, next: () => Promise<number>): Promise<Card[]> {
  const pack = canonicalPack(rules);
  for (let i = pack.length - 1; i > 0; i--) {
    const j = await below(i + 1, next);
    const a = pack[i] as Card;
    pack[i] = pack[j] as Card;
    pack[j] = a;
  }
  return pack;
}

/** One card at a time, clockwise from the starter. */
export async function deal(fair: Fairness, setting: Setting = RUMMY_51): Promise<Deal> {
  const { rules, out } = setting;
  const seats = fair.client_seeds.length;
  const next = words(await dealKey(fair));
  const pack = await shuffled(rules, next);
  const follows = setting.starter !== null && setting.later !== false;
  const starter = follows ? (setting.starter as number) : await below(seats, next);
  const clockwise = fair.client_seeds.map((_, i) => (starter + i) % seats).filter((s) => !out.includes(s));
  const hands: Card[][] = fair.client_seeds.map(() => []);
  const each = dealtEach(rules, clockwise.length);
  let at = 0;
  for (let round = 0; round < each; round++)
    for (const seat of clockwise) (hands[seat] as Card[]).push(pack[at++] as Card);
  if (rules.starter_extra) (hands[starter] as Card[]).push(pack[at] as Card);
  return { starter, hands };
}

export interface Check {
  name: 'commit' | 'seed' | 'hand' | 'record' | 'engine';
  ok: boolean | null;
  text: string;
}
export interface Verdict {
  state: 'verified' | 'partial' | 'failed' | 'unavailable';
  checks: Check[];
  hands: Card[][];
}
export interface Witness {
  /** Commitment published before any seed was sent. */
  commit: string;
  /** Seed that this browser sent and the server acknowledged; empty if there was none. */
  seed: string;
  seat: number | null;
  dealt: Card[];
  /** Starter of the hand, and seats that did not take part in it, as the table showed them. */
  starter?: number | null;
  out?: number[];
}

function sameCards(a: readonly Card[], b: readonly Card[]): boolean {
  return a.length === b.length && [...a].sort().join() === [...b].sort().join();
}

function handCheck(witness: Witness, hands: Card[][]): Check {
  const mine = witness.seat === null ? undefined : hands[witness.seat];
  if (!mine || witness.dealt.length === 0) return { name: 'hand', ok: null, text: say('fair.hand.unseen') };
  const ok = sameCards(mine, witness.dealt);
  const text = ok ? say('fair.hand.ok') : say('fair.hand.bad');
  return { name: 'hand', ok, text };
}

function seedCheck(witness: Witness, fair: Fairness): Check {
  if (!witness.seed || witness.seat === null) return { name: 'seed', ok: null, text: say('fair.seed.none') };
  const ok = fair.client_seeds[witness.seat] === witness.seed;
  const text = ok ? say('fair.seed.ok') : say('fair.seed.bad');
  return { name: 'seed', ok, text };
}

/** All hands and the starter, as in the record. */
function recordChecks(setting: Setting, dealt: Deal): Check[] {
  const told = setting.hands;
  if (!told) return [];
  const ok =
    (setting.starter === null || setting.starter === dealt.starter) &&
    told.length === dealt.hands.length &&
    told.every((cards, seat) => sameCards(cards, dealt.hands[seat] ?? []));
  const text = ok ? say('fair.record.ok') : say('fair.record.bad');
  return [{ name: 'record', ok, text }];
}

/** Absent if this browser cannot run the engine. The checks above do not need it. */
async function engineCheck(fair: Fairness, setting: Setting, dealt: Deal): Promise<Check[]> {
  const ok = await engineDeals(fair, setting, dealt);
  if (ok === null) return [];
  return [{ name: 'engine', ok, text: say(ok ? 'fair.engine.same' : 'fair.engine.other') }];
}

/** Compares what the server reveals with what this browser saw. */
export async function verify(
  fair: Fairness,
  witness: Witness,
  setting: Setting = RUMMY_51,
): Promise<Verdict> {
  if (!globalThis.crypto?.subtle) return { state: 'unavailable', checks: [], hands: [] };
  const published = witness.commit || fair.commit;
  const kept = (await commitOf(fair.server_seed)) === published && fair.commit === published;
  const commit: Check = {
    name: 'commit',
    ok: kept,
    text: kept ? say('fair.commit.ok') : say('fair.commit.bad'),
  };
  const dealt = await deal(fair, setting);
  const { hands } = dealt;
  const own = [seedCheck(witness, fair), handCheck(witness, hands)];
  const checks = [
    commit,
    ...recordChecks(setting, dealt),
    ...own,
    ...(await engineCheck(fair, setting, dealt)),
  ];
  if (checks.some((c) => c.ok === false)) return { state: 'failed', checks, hands };
  return { state: checks.every((c) => c.ok) ? 'verified' : 'partial', checks, hands };
}
