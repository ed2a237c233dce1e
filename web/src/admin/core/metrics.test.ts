import { describe, expect, it } from 'vitest';
import { parseMetrics, rate } from './metrics';

const TEXT = `# HELP rummyd_tables Live tables of this node.
# TYPE rummyd_tables gauge
rummyd_tables 4
rummyd_http_responses_total{class="2xx"} 90
rummyd_http_responses_total{class="4xx"} 10
rummyd_http_request_seconds_bucket{le="+Inf"} 100
rummyd_odd NaN
`;

describe('metrics', () => {
  it('are summed over their labels', () => {
    const metrics = parseMetrics(TEXT);
    expect(metrics?.get('rummyd_tables')).toBe(4);
    expect(metrics?.get('rummyd_http_responses_total')).toBe(100);
    expect(metrics?.has('rummyd_odd')).toBe(false);
  });

  it('are none in a page', () => {
    expect(parseMetrics('<!doctype html><title>Rummy</title>')).toBeNull();
    expect(parseMetrics('')).toBeNull();
  });

  it('grow at a rate, and from 0 after a restart of the process', () => {
    const [before, now] = [new Map([['moves', 100]]), new Map([['moves', 150]])];
    expect(rate('moves', before, now, 5)).toBe(10);
    expect(rate('moves', now, new Map([['moves', 20]]), 5)).toBe(4);
    expect(rate('moves', now, now, 0)).toBe(0);
    expect(rate('none', before, now, 5)).toBe(0);
  });
});
