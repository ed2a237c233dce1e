/* The comparison of the player's line with the recorded one: the results at once, the quality of play
 * later. */
import { EngineError, type Engine } from '@rummyd/engine';
import { Analysing } from '$lib/replay/analysing.svelte';
import { storyOf, type Person } from '$lib/replay/moments';
import { packRecord } from '$lib/replay/packed';
import { courseOf, partingOf, type Course, type Line, type Parting } from './lines';

export interface Side {
  line: Line;
  course: Course;
  /** Actions of the turn in which the lines diverge. */
  said: string;
}

export class Compared {
  readonly own: Side;
  readonly theirs: Side;
  readonly parting: Parting | null;
  readonly analyses = [new Analysing(), new Analysing()] as const;
  /** The player's record, encoded for an address; empty while it is being compressed. */
  packed = $state('');

  constructor(engine: Engine, own: Line, theirs: Line, seat: number) {
    this.parting = partingOf(engine, own, theirs);
    this.own = this.sideOf(engine, own, seat, true);
    this.theirs = this.sideOf(engine, theirs, seat, false);
    void packRecord(own.text).then((packed) => (this.packed = packed));
    for (const [at, line] of [own, theirs].entries()) this.analyses[at]?.begin(line.text, line.number);
  }

  private sideOf(engine: Engine, line: Line, seat: number, mine: boolean): Side {
    return { line, course: courseOf(engine, line, seat), said: this.saidOf(engine, line, seat, mine) };
  }

  /** Describes the turn as a replay does, including drawn cards. */
  private saidOf(engine: Engine, { text, number }: Line, seat: number, mine: boolean): string {
    const turn = this.parting?.turn;
    if (turn === undefined) return '';
    const people: Person[] = [];
    if (mine) people[seat] = { mine };
    try {
      const record = { text, hands: engine.record.parse(text) };
      const { moments } = storyOf(engine, record, number, { seat, open: true }, people);
      return moments
        .filter((moment) => moment.turn === turn)
        .flatMap(({ said }) => said)
        .join(' ');
    } catch (error) {
      if (!(error instanceof EngineError)) throw error;
      return '';
    }
  }

  stop(): void {
    for (const analysis of this.analyses) analysis.stop();
  }
}
