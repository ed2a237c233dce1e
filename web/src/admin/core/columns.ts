/* Columns of a list as data. */

export interface Column<T> {
  label: string;
  text(item: T): string;
  /** Link target, if any. */
  link?(item: T): string | undefined;
  /** May be one long word; break it anywhere. */
  long?: boolean;
  /** Right-aligned, so that digits line up. */
  number?: boolean;
  /** A color in addition to the text, which has the same meaning. */
  tone?(item: T): 'good' | 'bad' | 'dim' | '';
}
