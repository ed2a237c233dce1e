/* A rating over time as a polyline. Pure. */

/** Points of a polyline with the oldest value on the left and the lowest at the bottom. A constant rating
 * is a line in the middle. */
export function ratingLine(ratings: readonly number[], width: number, height: number): string {
  const [low, high] = [Math.min(...ratings), Math.max(...ratings)];
  const last = Math.max(1, ratings.length - 1);
  return ratings
    .map((r, i) => {
      const up = high > low ? (r - low) / (high - low) : 0.5;
      return `${((i / last) * width).toFixed(1)},${((1 - up) * height).toFixed(1)}`;
    })
    .join(' ');
}
