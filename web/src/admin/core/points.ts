/* What a plot of points shows. */

export interface Point {
  id: string;
  x: number;
  y: number;
  /** Said of it where it is looked at. */
  label: string;
  tone: 'bad' | 'dim' | '';
}
