/* Clubs in the server's format, and texts about them. */
import type { components } from '@rummyd/client';
import { say } from '$lib/messages/messages';

type Schemas = components['schemas'];
export type Club = Schemas['Club'];
export type ClubRequest = Schemas['ClubRequest'];
export type ClubChange = Schemas['ClubChange'];
export type Member = Schemas['ClubMemberPage']['items'][number];
export type ClubTable = Schemas['ClubTablePage']['items'][number];
export type ClubLine = Schemas['ClubMessage'];
export type LineReason = Schemas['ClubMessageReportRequest']['reason'];
export type ReportReason = Schemas['ClubReportRequest']['reason'];

export const REPORT_REASONS = ['club_name', 'about', 'other'] as const satisfies readonly ReportReason[];
export const LINE_REASONS = ['insult', 'other'] as const satisfies readonly LineReason[];
export const JOININGS = ['ask', 'open'] as const satisfies readonly Club['joining'][];
/** Maximum length of the description. */
export const ABOUT_MAX = 500;

export function membersSaid(club: Club): string {
  return say('club.members_n', { n: club.members });
}
