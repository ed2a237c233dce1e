/* Parses the parts of /metrics that the page shows. Pure. */

export type Metrics = ReadonlyMap<string, number>;

/** The sum of each metric over its labels, or null if the text is not in the metrics format. */
export function parseMetrics(text: string): Metrics | null {
  const sums = new Map<string, number>();
  for (const line of text.split('\n')) {
    const found = /^([a-z_]\w*)(?:\{[^}]*\})? (\S+)$/.exec(line);
    const [, name, value] = found ?? [];
    if (name === undefined || !Number.isFinite(Number(value))) continue;
    sums.set(name, (sums.get(name) ?? 0) + Number(value));
  }
  return sums.size > 0 ? sums : null;
}

/** Increase of a counter per second between two samples. After a restart, it starts at 0. */
export function rate(name: string, before: Metrics, now: Metrics, seconds: number): number {
  const [was, is] = [before.get(name) ?? 0, now.get(name) ?? 0];
  return seconds > 0 ? (is < was ? is : is - was) / seconds : 0;
}
