/* The second factor of an account: display and file formats. Pure. */
import { say } from '$lib/messages/messages';
import type { components } from '@rummyd/client';

export type Factor = components['schemas']['Factor'];

/** With fewer recovery codes left, the player should create new ones. */
const FEW = 3;

/** A secret in groups of four, for typing. */
export function grouped(secret: string): string {
  return secret.replace(/(.{4})(?=.)/g, '$1 ');
}

/** File contents for recovery codes, with the site and the account. */
export function codesText(codes: readonly string[], site: string, nickname: string): string {
  return `${say('codes.file', { nickname, site })}\n\n${codes.join('\n')}\n`;
}

export function codesLeftSaid(left: number): string {
  return say(left > 0 && left < FEW ? 'codes.left.few' : 'codes.left', { n: left });
}
