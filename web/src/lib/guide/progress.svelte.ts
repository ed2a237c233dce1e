/* Which stages of each game's path this player has finished. Stored in this browser, even without an
 * account. */
import { load, save } from '$lib/api/storage';
import { stagesOf, type Stage } from './lessons';

const KEY = 'learned';

class Progress {
  #kept = $state.raw(load<Record<string, unknown>>(KEY, {}));

  /** Stored data may be corrupt, so only stages of the game count. */
  private of(variant: string): readonly Stage[] {
    const kept = this.#kept;
    const found = kept && Object.hasOwn(kept, variant) ? kept[variant] : [];
    return Array.isArray(found) ? stagesOf(variant).filter((stage) => found.includes(stage)) : [];
  }

  has(variant: string, stage: Stage): boolean {
    return this.of(variant).includes(stage);
  }

  count(variant: string): number {
    return this.of(variant).length;
  }

  /** Whether the whole path is done. */
  whole(variant: string): boolean {
    const stages = stagesOf(variant);
    return stages.length > 0 && this.of(variant).length === stages.length;
  }

  /** The first unfinished stage after this one, otherwise the first unfinished one of all; null: all are
   * done. */
  next(variant: string, after?: Stage): Stage | null {
    const stages = stagesOf(variant);
    const from = after ? stages.indexOf(after) + 1 : 0;
    const open = (stage: Stage) => !this.has(variant, stage);
    return stages.slice(from).find(open) ?? stages.find(open) ?? null;
  }

  add(variant: string, stage: Stage): void {
    if (this.has(variant, stage)) return;
    this.#kept = { ...this.#kept, [variant]: [...this.of(variant), stage] };
    save(KEY, this.#kept);
  }
}

export const progress = new Progress();
