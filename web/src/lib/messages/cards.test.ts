import { describe, expect, it } from 'vitest';
import de from './de.json';
import en from './en.json';
import fr from './fr.json';
import hi from './hi.json';
import sr from './sr-Latn.json';

describe('the name of a card', () => {
  it.each(Object.entries({ de, en, fr, hi, sr }))(
    'has no hyphen that a line may end with in %s',
    (_, words) => {
      expect(words['cards.name']).not.toContain('}-');
    },
  );
});
