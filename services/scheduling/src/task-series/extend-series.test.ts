import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { traced, traceIds } from '@crm/telemetry';
import { startTracing } from '@crm/telemetry/start-tracing';
import { someone } from '@crm/testing';
import { afterAll, describe, expect, it, onTestFinished } from 'vitest';
import { schedulingUnderTest } from '../../test/harness.ts';
import { extendSeries } from './extend-series.ts';

const scheduling = await schedulingUnderTest({ clock: () => new Date('2026-03-02T12:00:00Z') });
afterAll(scheduling.close);

/** Records all traces until the test ends; the spans are received and discarded. */
async function recorded() {
  const receiver = createServer((_request, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const { port } = receiver.address() as AddressInfo;
  const stop = startTracing({ service: 'scheduling', url: `http://127.0.0.1:${port}`, sample: () => true });
  onTestFinished(async () => {
    await stop();
    receiver.close();
  });
}

/** Creates a recurring task without an end, in a trace, and returns its owner, its series and the id of the trace. */
const makeSeries = () =>
  traced(
    () => ({ name: 'test' }),
    async () => {
      const anna = { ...someone(), timezone: 'America/New_York' };
      const { scheduled_event_id } = await scheduling.as(anna).scheduledTasks.create({
        assigned_user_id: anna.id,
        due_at: '2026-03-02T09:00:00',
        description: 'Call',
        status: 'incomplete',
        recurrence_rule: 'FREQ=MONTHLY',
      });
      return { owner: anna.id, series: scheduled_event_id, trace: traceIds()?.trace_id };
    },
    { mayBegin: () => true },
  );

const extend = () =>
  extendSeries({ ...scheduling.workerContext, clock: () => new Date('2026-06-01T00:00:00Z') });

/** The requests and spans in the events about a series and its occurrences. */
const causesOf = (series: number) =>
  scheduling.rows(
    `select 'event' as what, payload ->> 'requestid' as request, payload ->> 'traceparent' as span from outbox
       where payload ->> 'subject' = 'task-series/' || $1::int
     union all select distinct 'task', cause ->> 'request_id', cause ->> 'traceparent' from tasks
       where scheduled_event_id = $1::int`,
    [series],
  );

describe('the extension of a series', () => {
  it('follows from the request that created it, and belongs to its trace', async () => {
    await recorded();
    const { series, trace } = await makeSeries();
    const [made] = await causesOf(series);
    expect(made?.span).toContain(trace);
    await extend();
    const causes = await causesOf(series);
    expect(causes.map(({ what }) => what)).toEqual(['event', 'event', 'task']);
    expect(new Set(causes.map(({ request }) => request)).size).toBe(1);
    expect(causes.map(({ span }) => String(span).split('-')[1])).toEqual([trace, trace, trace]);
    expect(causes[1]?.span, 'is a span of its own').not.toBe(made?.span);
  });

  it('is in the audit log of its owner', async () => {
    const { owner, series } = await makeSeries();
    await extend();
    const audited = await scheduling.rows(
      `select actor_type, user_id, action from audit_events
       where record_type = 'task-series' and record_id = $1 and actor_type = 'system'`,
      [series],
    );
    expect(audited).toEqual([
      { actor_type: 'system', user_id: owner, action: 'scheduling.task-series.changed' },
    ]);
  });

  it('has a separate request if that is unknown', async () => {
    const { series } = await makeSeries();
    await scheduling.rows('update task_series set cause = null where id = $1', [series]);
    await extend();
    const [made, extended] = await causesOf(series);
    expect(extended).toEqual({ what: 'event', request: expect.any(String), span: null });
    expect(extended?.request).not.toBe(made?.request);
  });
});
