/* Ways to pay, in words, and the SMS to send. Pure. */
import { say, sayOr } from '$lib/messages/messages';

/** Button label; the provider's name if only a newer server knows it. */
export const paymentMethodName = (provider: string): string =>
  sayOr(`way.${provider}`, say('pay_with', { provider }));

/** Parses an address in RFC 5724 form: `sms:70707?body=GOLD%207K3F`. */
export interface Sms {
  number: string;
  text: string;
}

/** Text and number; null if this is not an SMS address. */
export function smsOf(url: string | null): Sms | null {
  const [, number, text] = /^sms:(\+?\d+)\?body=([^&]+)$/.exec(url ?? '') ?? [];
  if (number === undefined || text === undefined) return null;
  try {
    return { number, text: decodeURIComponent(text) };
  } catch {
    return null; // incomplete escape sequence
  }
}
