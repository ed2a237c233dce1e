/* The second factor of an account: what is shown and kept of it. Pure. */
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
  return `Recovery codes for ${nickname} at ${site}. Each works once.\n\n${codes.join('\n')}\n`;
}

export function codesLeftSaid(left: number): string {
  if (left === 0)
    return 'You have no recovery codes left. Get new ones, or you’ll be locked out if you lose your phone.';
  const said = left === 1 ? 'You have 1 recovery code left.' : `You have ${left} recovery codes left.`;
  return left < FEW ? `${said} Get new ones soon.` : said;
}
