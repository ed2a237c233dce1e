/* Invitations: codes, links, who may still take one up. Pure. */
import { say } from '$lib/messages/messages';
import type { Me } from '$lib/api/client';

export const CODE_LENGTH = 8;
const DAY_MS = 86_400_000;

/** A code as it was typed or pasted, a whole link too, without what people put between the letters. */
export function tidyInvite(text: string): string {
  const last = text.trim().split('/').at(-1) ?? '';
  return last.replaceAll(/[^0-9A-Za-z]/g, '').toUpperCase();
}

export function inviteLink(origin: string, code: string): string {
  return `${origin}/invite/${code}`;
}

/** The server decides; this is what the page asks for. */
export function invitationOpen(me: Pick<Me, 'kind' | 'created_at'>, now: number): 'open' | 'guest' | 'late' {
  if (me.kind !== 'registered') return 'guest';
  return now - Date.parse(me.created_at) < DAY_MS ? 'open' : 'late';
}

export function invitedSaid(state: 'open' | 'paid' | 'over'): string {
  return say(`invite.${state}`);
}
