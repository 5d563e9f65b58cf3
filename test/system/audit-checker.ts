import type { ServiceDefinition } from '@crm/service';
import { expect } from 'vitest';
import type { PastTheRules } from './past-the-rules.ts';
import type { LogLine } from './shape.ts';

/**
 * Compares what services have done, as their log tells, with their audit logs: each mutation has left a row, also those
 * that publish no event. Pages and callbacks may have changed nothing, and are asked only by the tests of the audit log.
 */
export async function checkAudit(
  definitions: readonly ServiceDefinition[],
  past: Pick<PastTheRules, 'rows'>,
  logs: readonly LogLine[],
): Promise<void> {
  for (const { name, procedures } of definitions) {
    const isMutation = (line: LogLine) => {
      const operation = procedures.get(String(line.procedure))?.operation;
      return operation?.kind === 'mutation' && operation.for !== 'anyone';
    };
    const done = logs.filter((line) => line.msg === 'call' && line.outcome === 'done' && isMutation(line));
    const rows = await past.rows(name, 'select action, request_id, user_id, act_user_id from audit_events');
    const known = new Set(rows.map((row) => Object.values(row).join(' ')));
    const idOf = (person: unknown) => (person === undefined ? '' : String(person).replace('user/', ''));
    const missing = done.filter(
      ({ procedure, requestId, user, act }) =>
        !known.has([procedure, requestId, idOf(user), idOf(act)].join(' ')),
    );
    expect(missing, `${name} has done these without a row in its audit log`).toEqual([]);
  }
}
