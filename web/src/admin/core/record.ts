/* Splits a record (docs/records.md) into hands and moves for display. It does not check it. Pure. */

export interface Turn {
  no: string;
  /** The seat; '-' when no one is to move. */
  seat: string;
  actions: readonly string[];
}
export interface Hand {
  headers: readonly (readonly [string, string])[];
  turns: readonly Turn[];
  /** The lines of the hand's result, unchanged. */
  result: readonly string[];
}

export function handsOf(text: string): Hand[] {
  const hands: { headers: [string, string][]; turns: Turn[]; result: string[] }[] = [];
  for (const line of text.split('\n')) {
    if (line === '' || line.startsWith(';')) continue;
    const header = /^\[(\w+) "(.*)"\]$/.exec(line);
    if (
      header &&
      (hands.length === 0 || (hands.at(-1)?.turns.length ?? 0) + (hands.at(-1)?.result.length ?? 0) > 0)
    )
      hands.push({ headers: [], turns: [], result: [] });
    const hand = hands.at(-1);
    if (!hand) continue;
    const turn = /^(\d+)\. (\d|-) (.*)$/.exec(line);
    if (header) hand.headers.push([header[1] ?? '', (header[2] ?? '').replace(/\\(["\\])/g, '$1')]);
    else if (turn)
      hand.turns.push({ no: turn[1] ?? '', seat: turn[2] ?? '', actions: (turn[3] ?? '').split(', ') });
    else hand.result.push(line);
  }
  return hands;
}

/** Names of the seats, from the headers. */
export function nameAt(hand: Hand, seat: string): string {
  return hand.headers.find(([name]) => name === `Name${seat}`)?.[1] ?? '';
}
