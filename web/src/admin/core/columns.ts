/* Columns of a list as data. */

export interface Column<T> {
  label: string;
  text(item: T): string;
  /** Link target, if any. */
  link?(item: T): string | undefined;
  /** May be one long word, so break it anywhere. */
  long?: boolean;
  /** Right-aligned, so that digits line up. */
  number?: boolean;
  /** A color that repeats the meaning of the text. */
  tone?(item: T): 'good' | 'bad' | 'dim' | '';
}
