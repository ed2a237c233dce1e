import { describe, expect, it } from 'vitest';
import { bodyOf, changesOf, typedOf, type Field } from './form';

const FIELDS: Field[] = [
  { kind: 'text', name: 'name', label: 'Name', max: 40, value: 'Desert' },
  { kind: 'number', name: 'stake', label: 'Stake', min: 0, max: 100, value: 10 },
  { kind: 'number', name: 'wait', label: 'Wait', min: 0, max: 100, optional: true },
  { kind: 'flag', name: 'open', label: 'Open', value: true },
  { kind: 'choice', name: 'level', label: 'Level', of: ['easy', 'strong'] },
  { kind: 'choice', name: 'pace', label: 'Pace', of: ['slow'], optional: true },
  { kind: 'many', name: 'events', label: 'Events', of: ['a', 'b'], value: ['b'] },
];

describe('a form', () => {
  it('begins with what is there, and sends it as it is', () => {
    expect(bodyOf(FIELDS, typedOf(FIELDS))).toEqual({
      name: 'Desert',
      stake: 10,
      open: true,
      level: 'easy',
      events: ['b'],
    });
  });

  it('sends numbers as numbers, and nothing for what may be left out and is', () => {
    const typed = { ...typedOf(FIELDS), stake: '12', wait: '7', pace: 'slow' };
    expect(bodyOf(FIELDS, typed)).toMatchObject({ stake: 12, wait: 7, pace: 'slow' });
    expect(bodyOf(FIELDS, { ...typed, wait: '', pace: '' })).not.toHaveProperty('wait');
  });

  it('knows what was changed, and that nothing was', () => {
    expect(changesOf(FIELDS, typedOf(FIELDS))).toEqual({});
    const typed = { ...typedOf(FIELDS), stake: '12', open: false, events: ['b', 'a'] };
    expect(changesOf(FIELDS, typed)).toEqual({ stake: 12, open: false, events: ['b', 'a'] });
    expect(changesOf(FIELDS, { ...typed, stake: '10', open: true, events: ['b'] })).toEqual({});
  });

  it('sends members as an object, and what is wrong with them for the server to say', () => {
    const field: Field = { kind: 'members', name: 'options', label: 'Options', max: 100, optional: true };
    const sent = (options: string) => bodyOf([field], { options });
    expect(sent(' ace=high,rounds = 3 ,')).toEqual({ options: { ace: 'high', rounds: 3 } });
    expect(sent('rounds, =3, ace=a=b')).toEqual({ options: { rounds: '', '': 3, ace: 'a=b' } });
    expect(sent('')).toEqual({});
  });

  it('does not hand its own lists out to be changed', () => {
    (typedOf(FIELDS)['events'] as string[]).push('a');
    expect(typedOf(FIELDS)['events']).toEqual(['b']);
  });
});
