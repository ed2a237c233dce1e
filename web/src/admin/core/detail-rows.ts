/* Facts about one item, as rows. */

export interface Fact {
  label: string;
  text: string;
  link?: string | undefined;
  tone?: 'good' | 'bad' | 'dim' | '';
}
