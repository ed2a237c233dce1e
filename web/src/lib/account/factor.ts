/* The second factor of an account: what is shown and kept of it. Pure. */
import { say } from '$lib/messages/messages';
import type { components } from '@rummyd/client';

export type Factor = components['schemas']['Factor'];

/** With fewer recovery codes left it is time for new ones. */
const FEW = 3;

/** A secret in groups of four, for those who type it. */
export function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

/** What is kept of recovery codes: a text with the site and the account they are of. */
export function codesText(codes: readonly string[], site: string, nickname: string): string {
  return `${say('codes.file', { nickname, site })}\n\n${codes.join('\n')}\n`;
}

export function codesLeftSaid(left: number): string {
  return say(left > 0 && left < FEW ? 'codes.left.few' : 'codes.left', { n: left });
}
