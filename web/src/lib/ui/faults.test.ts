import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { ApiError } from '$lib/api/problem';
import en from '$lib/messages/en.json';
import { faultOf, formSentence } from './faults';
import { day } from './time';

const codes = readFileSync(fileURLToPath(new URL('../../../../api/faults.def', import.meta.url)), 'utf8');

const email = { pointer: '/email', code: 'not_an_email', detail: 'The member `email` …' } as const;
const seats = { pointer: '/seats', code: 'too_large', detail: '…', min: 2, max: 6 } as const;
const choice = {
  pointer: '/level',
  code: 'unknown_choice',
  detail: '…',
  allowed: ['easy', 'strong'],
} as const;

const refused = (...errors: object[]) =>
  new ApiError({ code: 'bad_format', detail: 'The first of them.', errors } as never, 422);

describe('what is wrong with a field', () => {
  it('is the sentence of its code, with the numbers and words of the fault', () => {
    const error = refused(email, seats, choice);
    expect(faultOf(error, '/email')).toBe('Please enter a valid email address.');
    expect(faultOf(error, '/seats')).toBe('Choose a value from 2 to 6.');
    expect(faultOf(error, '/level')).toBe('Choose one of these: easy, strong.');
  });

  it('is what is wrong with one of its members, too', () => {
    const target = { ...seats, pointer: '/options/target' };
    expect(faultOf(refused(target), '/options')).toBe('Choose a value from 2 to 6.');
    expect(faultOf(refused(target), '/option')).toBe('');
    expect(formSentence(refused(target), ['/options'])).toBe('Please check the fields marked above.');
  });

  it('states when to try again, if the server does', () => {
    const soon = { pointer: '/nickname', code: 'name_too_soon', detail: '…' };
    const error = new ApiError({ code: 'name_too_soon', retry_s: 86_400, errors: [soon] } as never, 429);
    const tomorrow = day(new Date(Date.now() + 86_400_000).toISOString());
    expect(faultOf(error, '/nickname')).toBe(
      `You changed your name recently. You can change it again on ${tomorrow}.`,
    );
  });

  it('is nothing when the server says nothing of it', () => {
    expect(faultOf(refused(email), '/password')).toBe('');
    expect(faultOf(refused(), '/email')).toBe('');
    expect(faultOf(new Error('lost'), '/email')).toBe('');
    expect(faultOf(null, '/email')).toBe('');
  });

  it('leaves to the form only the faults that no field shows', () => {
    const beside = 'Please check the fields marked above.';
    expect(formSentence(refused(email, seats), ['/email', '/seats'])).toBe(beside);
    expect(formSentence(refused(email, seats), ['/email'])).toBe('The first of them.');
    expect(formSentence(refused(), ['/email'])).toBe('The first of them.');
    expect(formSentence(new Error('lost'), ['/email'])).toBe('lost');
  });

  it('has a sentence for each code the server knows', () => {
    const names = [...codes.matchAll(/^API_FAULT\(\w+, "(\w+)"/gm)].map((m) => m[1]);
    expect(names.length).toBeGreaterThan(20);
    expect(names.filter((name) => !(`fault.${name}` in en))).toEqual([]);
  });
});
