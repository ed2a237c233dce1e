/* The one-time token of a link that came by mail. It stands behind the # of the address, so that no server's log and no
 * referrer ever has it. */

/** The token of the link by which the page was opened, taken out of the address and the history at once; '' if it has none. */
export function takeToken(
  from: Pick<Location, 'hash' | 'pathname'> = location,
  past: Pick<History, 'replaceState' | 'state'> = history,
): string {
  const token = from.hash.slice(1);
  if (from.hash) past.replaceState(past.state, '', from.pathname);
  return /^[0-9a-f]{64}$/.test(token) ? token : '';
}
