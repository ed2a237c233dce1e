/* Limits that players set for themselves: form values and sentences. Pure. */
import { say } from '$lib/messages/messages';
import type { components } from '@rummyd/client';
import { money } from '$lib/ui/amount';

export type Limits = components['schemas']['PlayLimits'];
export type LimitsChange = components['schemas']['PlayLimitsChange'];
export type Pending = Limits['pending'][number];

/** Form values: empty means no limit. */
export interface LimitsForm {
  minutes: number | null;
  /** In whole units of the currency. */
  purchases: number | null;
  /** Days from now; null leaves the pause unchanged, 0 ends it. */
  excludeDays: number | null;
}

function unitOf(currency: string): number {
  const format = new Intl.NumberFormat('en', { style: 'currency', currency: currency.toUpperCase() });
  return 10 ** (format.resolvedOptions().maximumFractionDigits ?? 2);
}

export function formOf(limits: Limits, currency: string): LimitsForm {
  const purchases = limits.purchases_per_day;
  return {
    minutes: limits.minutes_per_day,
    purchases: purchases === null ? null : purchases / unitOf(currency),
    excludeDays: null,
  };
}

/** The changes from the current limits. */
export function changeOf(form: LimitsForm, limits: Limits, currency: string): LimitsChange {
  const change: LimitsChange = {};
  if (form.minutes !== limits.minutes_per_day) change.minutes_per_day = form.minutes;
  const purchases = form.purchases === null ? null : Math.round(form.purchases * unitOf(currency));
  if (purchases !== limits.purchases_per_day) change.purchases_per_day = purchases;
  if (form.excludeDays !== null) change.exclude_days = form.excludeDays;
  return change;
}

/** Describes the pending value of a loosened limit. */
export function pendingSaid(pending: Pending, currency: string): string {
  switch (pending.limit) {
    case 'minutes_per_day':
      return pending.value === null
        ? say('limits.pending.minutes.none')
        : say('limits.pending.minutes', { n: pending.value });
    case 'purchases_per_day':
      return pending.value === null
        ? say('limits.pending.purchases.none')
        : say('limits.pending.purchases', { amount: money(pending.value, currency) });
    default:
      return say(pending.until === null ? 'limits.pending.over' : 'limits.pending.shorter');
  }
}
