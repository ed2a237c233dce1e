/* Every code that a player can encounter has a sentence on the page, in every language. */
import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import en from './en.json';

/** The texts of the other languages, by file. */
const OTHERS = import.meta.glob<Record<string, string>>(['./*.json', '!./en.json', '!./languages.json'], {
  eager: true,
  import: 'default',
});
const read = (file: string) => readFileSync(new URL(`../../../../${file}`, import.meta.url), 'utf8');
const names = (file: string, macro: string) =>
  [...read(file).matchAll(new RegExp(`^${macro}\\(\\w+, "(\\w+)"`, 'gm'))].map((match) => match[1] ?? '');
/** The server's sentences, by key of the page's. */
const sentences = (file: string, macro: string, family: string) =>
  [...read(file).matchAll(new RegExp(`^${macro}\\(\\w+, "(\\w+)",[^"]*"([^"]*)"\\)`, 'gm'))].map(
    ([, code, text]) => [`${family}.${code}`, text ?? ''] as const,
  );

/* Codes that only other programs or operators can encounter: this page sends valid requests, or does not use
 * the feature. */
const OF_PROGRAMS = new Set(
  `bad_request bad_request_line bad_header_line bad_chunks bad_path uri_too_long
  too_many_parameters request_timeout origin_refused upgrade_required no_body_taken bad_parameter bad_cursor
  method_not_allowed head_too_large body_too_large unsupported_media_type bad_json bad_utf8 duplicate_member
  unknown_member missing_member wrong_type out_of_range bad_length bad_format scope_missing bot_token_invalid
  bot_token_expired bot_owner_unverified too_many_bots too_many_bot_tokens no_such_bot no_such_bot_token
  idempotency_key_missing idempotency_key_bad idempotency_key_reused idempotency_running receipt_bad receipt_pending
  receipt_revoked receipt_taken receipt_of_another no_such_title signature_bad signature_stale event_bad bad_frame
  unknown_type frame_too_big bad_seed seed_is_given seed_too_late not_duplicate
  not_teams`.split(/\s+/),
);
const OF_OPERATORS = new Set(
  `api_key_missing api_key_invalid api_key_expired api_key_forbidden api_key_scope no_such_key key_name_taken key_revoked
  no_such_scope no_such_grant grant_settled second_operator_needed purse_too_small room_exists too_many_rooms
  room_out_of_order no_such_job no_such_node clock_set_back no_such_webhook no_such_delivery too_many_webhooks season_closing
   too_many_tournaments tournament_kind tournament_teams tournament_duplicate duplicate_prizes_off tournament_size tournament_time
   no_such_prize_table prize_table_exists too_many_prize_tables bad_prizes not_refundable refund_elsewhere no_such_report
   report_closed no_such_flag`.split(/\s+/),
);

/* Codes whose sentence on the page intentionally differs from the server's, by reason. All others are
 * equal, so that players with other clients, which show the server's sentence, read the same text. */
const DIFFERENT: Record<string, string> = {
  'a client deals with tokens and tickets, a player signs in and opens tables': `token_missing token_invalid token_expired
    refresh_invalid refresh_reused bad_ticket`,
  'a client has to repeat the request in a certain way':
    'record_too_long payment_unavailable outcome_unknown',
  'a client has to send another format, which the page always does':
    'no_such_period no_such_week stake_unknown',
  'the cause matters to operators alone': 'unavailable',
  'the sentence names a page': 'email_has_account',
};
/** Replaces the server's terms with the page's. */
const inPageTerms = (sentence: string) => sentence.replace(/\bvariant\b/g, 'game');
/** Removes typographic differences: the page shows when to retry and uses typographic quotes. */
const inPrint = (sentence: string) => sentence.replace(/’/g, "'").replace(/\{when\}/g, 'later');

const said = (family: string) => (code: string) => !Object.hasOwn(en, `${family}.${code}`);

describe('a code that a player can meet has a sentence', () => {
  const refusals = names('engine/core/refusals.def', 'ENG_REFUSAL');
  const problems = names('api/errors.def', 'API_ERROR');
  const faults = names('api/faults.def', 'API_FAULT');

  it('when a move is refused', () => {
    expect(refusals.length).toBeGreaterThan(50);
    expect(refusals.filter(said('refusal'))).toEqual([]);
  });

  it('when the server refuses something', () => {
    expect(problems.length).toBeGreaterThan(150);
    const met = problems.filter((code) => !OF_PROGRAMS.has(code) && !OF_OPERATORS.has(code));
    expect(met.filter(said('problem'))).toEqual([]);
  });

  it('when something is wrong with a field', () => {
    expect(faults.length).toBeGreaterThan(50);
    expect(faults.filter(said('fault'))).toEqual([]);
  });

  it.each(Object.entries(OTHERS))('in %s, which is not the English one', (_, own) => {
    const codes = Object.entries(en).filter(([key]) => /^(?:refusal|problem|fault)\./.test(key));
    expect(codes.length).toBeGreaterThan(200);
    expect(codes.filter(([key, sentence]) => own[key] === sentence)).toEqual([]);
  });

  it('which is the server’s, unless it differs on purpose', () => {
    const all = [
      ...sentences('api/errors.def', 'API_ERROR', 'problem'),
      ...sentences('engine/core/refusals.def', 'ENG_REFUSAL', 'refusal'),
    ];
    expect(all.length).toBe(problems.length + refusals.length);
    const page = new Map(Object.entries(en));
    const differing = all.filter(([key, sentence]) => {
      const own = page.get(key);
      return own !== undefined && inPrint(own) !== inPageTerms(sentence);
    });
    const listed = Object.values(DIFFERENT).flatMap((codes) => codes.split(/\s+/));
    expect(differing.map(([key]) => key).sort()).toEqual(listed.map((code) => `problem.${code}`).sort());
  });

  it('and nothing is listed that is no code', () => {
    expect([...OF_PROGRAMS, ...OF_OPERATORS].filter((code) => !problems.includes(code))).toEqual([]);
  });
});
