/* Coordinates in a plot. Pure. */

export interface Axis {
  from: number;
  to: number;
  ticks: readonly number[];
}

const STEPS = [1, 2, 5, 10];

/** An axis with round numbers that contains 0 and all values, in at most `n` steps. */
export function axisOf(values: readonly number[], n = 5): Axis {
  const low = Math.min(0, ...values);
  const high = Math.max(0, ...values) || (low === 0 ? 1 : 0);
  const rough = (high - low) / n;
  const size = 10 ** Math.floor(Math.log10(rough));
  const step = size * (STEPS.find((one) => one * size >= rough) ?? 10);
  const [from, to] = [Math.floor(low / step) * step, Math.ceil(high / step) * step];
  const count = Math.round((to - from) / step);
  return {
    from,
    to,
    ticks: Array.from({ length: count + 1 }, (_, i) => Number((from + i * step).toPrecision(12))),
  };
}

/** Maps a value of the axis to a coordinate between `start` and `end`. */
export function placeOn(axis: Axis, value: number, start: number, end: number): number {
  return start + ((value - axis.from) / (axis.to - axis.from)) * (end - start);
}

/** A time series as `points` of a polyline; the newest value is on the right. */
export function lineOf(values: readonly number[], width: number, height: number): string {
  const axis = axisOf(values);
  const last = Math.max(1, values.length - 1);
  return values
    .map((v, i) => `${((i / last) * width).toFixed(1)},${placeOn(axis, v, height, 0).toFixed(1)}`)
    .join(' ');
}
