/* Ways to pay, in words, and what is to be sent to pay by SMS. Pure. */
import { say, sayOr } from '$lib/messages/messages';

/** What a button says; a provider that is newer than this page is called by its name. */
export const wayNamed = (provider: string): string => sayOr(`way.${provider}`, say('pay_with', { provider }));

/** Of an address as RFC 5724 writes it: `sms:70707?body=GOLD%207K3F`. */
export interface Sms {
  number: string;
  text: string;
}

/** What to send where; null: the address is none of an SMS. */
export function smsOf(url: string | null): Sms | null {
  const [, number, text] = /^sms:(\+?\d+)\?body=([^&]+)$/.exec(url ?? '') ?? [];
  if (number === undefined || text === undefined) return null;
  try {
    return { number, text: decodeURIComponent(text) };
  } catch {
    return null; // half an escape
  }
}
