/* Texts of puzzles: questions, answers, and results. Pure. */
import type { components } from '@rummyd/client';
import type { Move } from '@rummyd/engine';
import { cardSign } from '$lib/cards/cards';
import { number } from '$lib/messages/format';
import { say } from '$lib/messages/messages';
import { searchOf } from '$lib/replay/address';

type Schemas = components['schemas'];
export type Puzzle = Schemas['Puzzle'];
export type PuzzleTry = Schemas['PuzzleTry'];
export type DailyPuzzle = Schemas['DailyPuzzle'];
export type OwnPuzzles = Schemas['MyPuzzles'];
export type Weighed = PuzzleTry['choices'][number];

export const THEMES = ['discard', 'draw', 'open', 'declare'] as const;
export type Theme = (typeof THEMES)[number];

/** In puzzles about a discard the choices are cards. */
const isCard = (choice: string): boolean => /^([A2-9TJQK][CSHD]|X)$/.test(choice);

/** "5♦", or the button label of this choice. */
export function choiceSaid(choice: string): string {
  if (isCard(choice)) return cardSign(choice);
  return say('puzzle.choice', { choice });
}

/** A card of the hand as a choice. Two equal cards are the same choice. */
export const choiceOf = (card: string): string => (card.startsWith('X') ? 'X' : card.slice(0, 2));

/** The choices shown as buttons; empty if the answer is a card of the hand. */
export const buttonsOf = ({ options }: Pick<Puzzle, 'options'>): string[] =>
  options.filter((choice) => !isCard(choice));

/** The answer that a move at the table represents, or null if it is not one of the options. */
export function answerOf({ options }: Pick<Puzzle, 'options'>, move: Move): string | null {
  const choice = choiceOfMove(move);
  return choice !== null && options.includes(choice) ? choice : null;
}

function choiceOfMove(move: Move): string | null {
  switch (move.t) {
    case 'discard':
      return move.d.cards.length === 1 ? choiceOf(move.d.cards[0] ?? '') : null;
    case 'draw':
      return move.d.from;
    case 'meld':
      return 'open';
    case 'drop':
    case 'declare':
      return move.t;
    default:
      return null;
  }
}

export const percentOf = (worth: number): string =>
  number(worth, { style: 'percent', maximumFractionDigits: 0 });

/** All choices, best first. */
export function ranked({ choices, answer }: PuzzleTry): Weighed[] {
  return [...choices].sort(
    (a, b) => Number(b.choice === answer) - Number(a.choice === answer) || b.worth - a.worth,
  );
}

/** "The 5♦ is worth 62%, your K♠ 55%." */
export function comparison(theme: string, tried: PuzzleTry): string {
  const [best, second] = ranked(tried);
  if (!best) return '';
  const own = tried.choice === tried.answer;
  const other = own ? second : tried.choices.find(({ choice }) => choice === tried.choice);
  const values = { theme, best: best.choice, card: choiceSaid(best.choice), worth: percentOf(best.worth) };
  if (!other) return say('puzzle.worth_alone', values);
  return say('puzzle.compared', {
    ...values,
    own: own ? 'yes' : 'no',
    other: choiceSaid(other.choice),
    less: percentOf(other.worth),
  });
}

/** Address of the replay of the source game at the moment before the choice, as the puzzle's player sees
 * it. */
export function sourceAddress({ source }: PuzzleTry, { seat }: Pick<Puzzle, 'seat'>): string {
  if (!source) return '';
  const { game, hand, turn, move } = source;
  const spot = move > 0 ? { turn, move } : { turn: turn - 1, move: null };
  return `/games/${game}/replay${searchOf({ hand, seat, ...spot })}`;
}

/** The hand of the player to move, for a picture: the header of the position with its moves applied. */
export function handOf({ position, seat }: Pick<Puzzle, 'position' | 'seat'>): string[] {
  const [, cards = ''] = new RegExp(`^\\[Cards${seat} "([^"]*)"\\]`, 'm').exec(position) ?? [];
  const hand = new Set(cards.split(' ').filter(Boolean));
  for (const [, what, moved = ''] of position.matchAll(/\b(stock|take|meld|lay) ((?:\w\w\d? ?)+)/g))
    for (const card of moved.match(/[A2-9TJQK][CSHD]\d|X\d/g) ?? [])
      if (what === 'stock' || what === 'take') hand.add(card);
      else hand.delete(card);
  return [...hand];
}
