import { expect, it } from 'vitest';
import { written } from './files';
import { partOf, reached } from './message-use';

it('follows what a file imports when it is loaded, and nothing that is fetched later', () => {
  const files = reached(['pages/Table.svelte']);
  expect(files).toEqual(
    expect.arrayContaining([
      'lib/board/TableView.svelte',
      'lib/table/game.svelte.ts',
      'lib/messages/messages.ts',
    ]),
  );
  expect(files).not.toContain('lib/board/Coach.svelte');
  expect(files).not.toContain('lib/messages/catalog.ts'); // types only
});

it('parts the sentences: what the sign-in page says, what the lobby and a table say, the other pages later', () => {
  const part = partOf();
  const entrance = Object.keys(written('en')).filter((key) => part(key) === 'entrance');
  expect(entrance).toEqual(expect.arrayContaining(['app.loading', 'enter.guest']));
  for (const inside of ['table.', 'event.', 'lobby.', 'piles.'])
    expect(entrance.filter((key) => key.startsWith(inside))).toEqual([]);
  const first = Object.keys(written('en')).filter((key) => part(key) !== 'later');
  expect(first).toEqual(
    expect.arrayContaining(['app.loading', 'table.your_turn', 'refusal.not_your_turn', 'event.drew.pile']),
  );
  expect(first.filter((key) => key.startsWith('problem.'))).toEqual(['problem.other', 'problem.unreachable']);
  for (const later of ['analysis.', 'passkeys.', 'coach.', 'shop.'])
    expect(first.filter((key) => key.startsWith(later))).toEqual([]);
});
