/* Replays a deal in every variant. The other seats follow the record until the player's line diverges. */
import { load, type Engine, type RecordHand } from '@rummyd/engine';
import { beforeAll, describe, expect, it } from 'vitest';
import { dealsOf } from '$lib/replay/deals';
import { played } from '$lib/replay/bot-games';
import { begin, levelsOf, ownRecord, planOf, type Ghost, type Seated } from './ghost';
import { courseOf, partingOf } from './lines';

let engine: Engine;
beforeAll(async () => {
  engine = await load();
});

const VARIANTS = [
  'rummy51',
  'straight',
  'treff',
  'rummy40',
  'rami',
  'points',
  'pool101',
  'pool201',
  'deals2',
  'deals3',
];
const SEAT = 1;
const INSIDE = ['draw', 'play', 'group'];

function seatedAt(text: string, index = 0): Seated {
  const deal = dealsOf(engine, text, SEAT)[index];
  if (!deal) throw new Error('the record has no such deal');
  return { text, deal, seat: SEAT, names: ['Ana', 'Me', 'Zoe'], avatars: [] };
}

/** Plays to the end. `decide` chooses the player's moves, and the table those of the others. */
function playOn({ session, follow }: Ghost, decide: (session: Ghost['session']) => void): void {
  for (let view = session.view(); INSIDE.includes(view.phase); view = session.view()) {
    const bot = session.botToMove();
    if (bot === null) {
      decide(session);
      follow.moved(SEAT);
    } else {
      session.act(bot, follow.botMove(bot) ?? session.botMove(bot));
      follow.moved(bot);
    }
  }
}

function close({ session, follow }: Ghost): void {
  session.close();
  follow.close();
}

describe.each(VARIANTS)('a deal of %s', (variant) => {
  it('comes to the same result when the player decides the same', () => {
    const text = played(engine, { variant, players: 3 });
    for (const index of dealsOf(engine, text, SEAT).keys()) {
      const seated = seatedAt(text, index);
      const ghost = begin(engine, seated, []);
      const mine = seated.deal.hand.steps.filter((step) => step.seat === SEAT);
      playOn(ghost, (session) => {
        const step = mine.shift();
        if (!step) throw new Error('the record has no more moves of the seat');
        session.act(SEAT, step.move);
      });
      const own = { text: ownRecord(engine, seated, ghost), number: 0 };
      const theirs = { text, number: seated.deal.number };
      expect(partingOf(engine, own, theirs)).toBeNull();
      expect(courseOf(engine, own, SEAT)).toEqual(courseOf(engine, theirs, SEAT));
      expect(ghost.session.view().phase).toBe('over');
      expect(ghost.session.between).toBe(false);
      close(ghost);
    }
  });

  it('parts at the first turn that the player plays differently, and has a record that holds', () => {
    const text = played(engine, { variant, players: 3 }, ['medium', 'easy']);
    const seated = seatedAt(text);
    const ghost = begin(engine, seated, []);
    playOn(ghost, (session) => session.act(SEAT, session.game.botMove(SEAT, 'strong')));
    const own = ownRecord(engine, seated, ghost);
    expect(engine.verify(own).map(({ verdict }) => verdict)).toEqual(['ok']);
    const parting = partingOf(engine, { text: own, number: 0 }, { text, number: 0 });
    const [mine] = engine.record.parse(own);
    expect(mine?.seats.map(({ cards }) => cards)).toEqual(seated.deal.hand.seats.map(({ cards }) => cards));
    if (parting) {
      expect(parting.seat).toBe(SEAT);
      const before = (hand: RecordHand | undefined) =>
        hand?.steps.filter((step) => step.turn < parting.turn).length;
      expect(before(mine)).toBe(before(seated.deal.hand));
    }
    close(ghost);
  });

  it('continues from what was kept, wherever that was', () => {
    const text = played(engine, { variant, players: 3 }, ['medium', 'easy']);
    const seated = seatedAt(text);
    const ghost = begin(engine, seated, []);
    let moves = 0;
    playOn(ghost, (session) => {
      session.act(SEAT, session.game.botMove(SEAT, 'strong'));
      if (++moves % 7 !== 1) return;
      const again = begin(engine, seated, session.save().log);
      expect(again.session.game.hash()).toBe(session.game.hash());
      close(again);
    });
    close(ghost);
  });
});

it('plays short sessions whole, and one hand of a long one', () => {
  const hands = (text: string, hand: number) =>
    planOf(engine, text, SEAT, hand).map((deal) => deal.hand.hand_no);
  expect(hands(played(engine, { variant: 'deals2', players: 2 }), 2)).toEqual([1, 2]);
  const long = played(engine, { variant: 'pool201', players: 2 });
  const all = dealsOf(engine, long, SEAT).map((deal) => deal.hand.hand_no);
  expect(all.length).toBeGreaterThan(3);
  expect(hands(long, 2)).toEqual([2]);
  expect(hands(long, 99)).toEqual([1]);
});

it('lets bots be as strong as those that sat there, and strong in place of players', () => {
  const seats = ['bot easy', 'person', 'bot account', 'bot master'].map((kind) => ({ kind }));
  expect(levelsOf({ seats } as RecordHand)).toEqual(['easy', 'strong', 'strong', 'master']);
});
