/* Fields that several actions share. */
import type { Field } from './form';
import { word } from './words';

export const REASON: Field = {
  kind: 'text',
  name: 'reason',
  label: word('field.reason'),
  hint: word('hint.log'),
  max: 200,
};
export const NOTE: Field = {
  kind: 'text',
  name: 'note',
  label: word('field.note'),
  hint: word('hint.log'),
  max: 200,
};
