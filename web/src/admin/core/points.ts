/* Data of a scatter plot. */

export interface Point {
  id: string;
  x: number;
  y: number;
  /** Description shown when the point is selected. */
  label: string;
  tone: 'bad' | 'dim' | '';
}
