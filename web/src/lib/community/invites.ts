/* Invitations: codes and links, and the code with which a guest arrived. */
import { load, save } from '$lib/api/storage';
import { say, sayOr } from '$lib/messages/messages';

export const CODE_LENGTH = 8;

/** The code in typed or pasted text (a code or a whole link), without separators. */
export function tidyInvite(text: string): string {
  const last = text.trim().split('/').at(-1) ?? '';
  return last.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
}

export function inviteLink(origin: string, code: string): string {
  return `${origin}/invite/${code}`;
}

/** Why the server does not let the player accept an invitation; empty if they may try. */
export function notAcceptable(acceptance: string): string {
  return sayOr(`problem.invite_${acceptance}`, '');
}

export function invitedSaid(state: 'open' | 'paid' | 'over'): string {
  return say(`invite.${state}`);
}

const KEPT = 'invite';

/** The guest's invitation code, for the account they create later; '' deletes it. */
export function keepInvite(code: string): void {
  save(KEPT, code || null);
}

export const keptInvite = (): string => load(KEPT, '');
