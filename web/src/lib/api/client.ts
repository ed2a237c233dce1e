/* The page's REST client, and type names for the data that the page shows. */
import { createRest, need, type Answer, type components } from '@rummyd/client';
import { language } from '$lib/messages/language.svelte';
import { sendOrTakeEarly } from './early';
import { tokens } from './tokens';

export { ApiError, idempotencyKey, need } from '@rummyd/client';
export { sentence } from './problem';

type Schemas = components['schemas'];
export type Me = Schemas['Me'];
export type MeChange = Schemas['MeChange'];
export type Wallet = Schemas['Wallet'];
export type Room = Schemas['Room'];
export type Posting = Schemas['Posting'];
export type DailyDeals = Schemas['DailyDeals'];
export type DailyBoard = Schemas['DailyBoard'];
export type GameItem = Schemas['GameItem'];
export type Game = Schemas['Game'];
export type SeatTicket = Schemas['Seat'];
export type Variant = Schemas['VariantList']['items'][number];
export type VariantOption = Variant['options'][number];
export type MyTable = Schemas['MyTables']['items'][number];
export type PublicTable = Schemas['TableItem'];
export type TableRequest = Schemas['TableRequest'];
export type TableByCode = Schemas['TableByCode'];
export type TableLink = Schemas['TableLink'];
export type InviteLink = Schemas['InviteLink'];
export type Problem = Schemas['Problem'];
export type Session = Schemas['Session'];
export type ResetWays = Schemas['ResetWays'];
export type GuestRequest = Schemas['GuestRequest'];
export type SessionItem = Schemas['SessionItem'];
export type Export = Schemas['Export'];
export type Deletion = Schemas['Deletion'];

const UNAUTHORIZED = 401; // the tokens are renewed without the player noticing

/** The code that reports an error needs texts that may still be loading. */
async function send(request: Request): Promise<Response> {
  const response = await sendOrTakeEarly(request);
  if (!response.ok && response.status !== UNAUTHORIZED) await language.all();
  return response;
}

export const api = createRest({ url: location.origin, tokens, language: () => language.tag, send });

/** The record of a finished game, as text. */
export async function gameRecord(id: string): Promise<string> {
  const answer = api.GET('/v1/games/{game}/record', { params: { path: { game: id } }, parseAs: 'text' });
  return need(answer as Promise<Answer<string>>);
}

/** A part of the data export, as text. */
export async function exportPart(id: string, part: string): Promise<string> {
  const path = { export: id, part };
  const answer = api.GET('/v1/me/export/{export}/parts/{part}', { params: { path }, parseAs: 'text' });
  return need(answer as Promise<Answer<string>>);
}
