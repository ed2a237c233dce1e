import { describe, expect, it } from 'vitest';

const FILES = import.meta.glob<Record<string, string>>(['./*.json', '!./languages.json'], {
  eager: true,
  import: 'default',
});

describe('the name of a card', () => {
  it.each(Object.entries(FILES))('has no hyphen that a line may end with in %s', (_, words) => {
    expect(words['cards.name']).not.toContain('}-');
  });
});
