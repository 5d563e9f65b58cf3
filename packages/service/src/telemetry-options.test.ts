import { afterEach, expect, it, vi } from 'vitest';
import { z } from 'zod';
import { telemetryOptionsOf, telemetryVariables } from './telemetry-options.ts';

afterEach(() => void vi.restoreAllMocks());

const variables = z.object(telemetryVariables);

/** Whether the next trace is recorded after a chance from 0 to 1. */
function isSampledAt(chance: number, given: Readonly<Record<string, string>>) {
  vi.spyOn(Math, 'random').mockReturnValue(chance);
  const read = variables.parse({ OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318', ...given });
  return telemetryOptionsOf(read).tracing?.sample();
}

it.each([
  ['one trace in twenty unless another share is set', {}, 0.05],
  ['the share that is set', { OTEL_TRACES_SAMPLER_ARG: '0.5' }, 0.5],
  ['the same if the sampler is named', { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio' }, 0.05],
])('records %s', (_what, given, share) => {
  expect([isSampledAt(share - 0.001, given), isSampledAt(share + 0.001, given)]).toEqual([true, false]);
});

it.each([
  ['parentbased_always_on', '0.05', true],
  ['parentbased_always_on', '0', true],
  ['parentbased_always_off', '1', false],
  ['parentbased_traceidratio', '1', true],
  ['parentbased_traceidratio', '0', false],
])('%s with the share %s is without chance', (OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG, isSampled) => {
  for (const chance of [0, 1 - Number.EPSILON])
    expect(isSampledAt(chance, { OTEL_TRACES_SAMPLER, OTEL_TRACES_SAMPLER_ARG })).toBe(isSampled);
});

it('refuses a sampler that would record parts of traces, and names those that it takes', () => {
  expect(variables.safeParse({ OTEL_TRACES_SAMPLER: 'traceidratio' }).error?.issues).toMatchObject([
    {
      path: ['OTEL_TRACES_SAMPLER'],
      message:
        'is "traceidratio", but must be one of parentbased_traceidratio, parentbased_always_on, parentbased_always_off',
    },
  ]);
});
