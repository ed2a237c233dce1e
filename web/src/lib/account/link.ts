/* The one-time token of an email link. It is in the fragment of the address so that it never appears in
 * server logs or referrers. */

/** Returns the token of the link that opened the page, or '' if there is none, and removes it from the
 * address and the history. */
export function takeToken(
  from: Pick<Location, 'hash' | 'pathname'> = location,
  past: Pick<History, 'replaceState' | 'state'> = history,
): string {
  const token = from.hash.slice(1);
  if (from.hash) past.replaceState(past.state, '', from.pathname);
  return /^[0-9a-f]{64}$/.test(token) ? token : '';
}
