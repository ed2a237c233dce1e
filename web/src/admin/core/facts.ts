/* What is known of one thing, line by line. */

export interface Fact {
  label: string;
  text: string;
  link?: string | undefined;
  tone?: 'good' | 'bad' | 'dim' | '';
}
