/* How a list is shown: its columns as data. */

export interface Column<T> {
  label: string;
  text(item: T): string;
  /** Where it leads, if anywhere. */
  link?(item: T): string | undefined;
  /** It may be one long word, and is broken anywhere. */
  long?: boolean;
  /** It stands right, digits below digits. */
  number?: boolean;
  /** A colour that says more; the text says it, too. */
  tone?(item: T): 'good' | 'bad' | 'dim' | '';
}
