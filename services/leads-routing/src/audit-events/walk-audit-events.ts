import {
  type AuditEvent,
  AuditEventView,
  type Condition,
  decisive,
  type Find,
  fieldKinds,
} from '@crm/contract';
import { cursorOf, positionIn } from '@crm/data';
import { type Placed, partsAfter, placedAt, type SortKey } from '@crm/query';

const { kinds } = fieldKinds(AuditEventView);

/** Where a page of the merged audit log begins. Throws BadRequest for a cursor of another list or order. */
export function walkFrom(sort: Find['sort'], after: string | undefined) {
  const keys = decisive(sort).map(
    ([name, direction]): SortKey => ({ name, kind: kinds.get(name) ?? 'text', direction }),
  );
  const walk = { list: 'audit_events', keys };
  const position = after === undefined ? undefined : positionIn(after, walk);
  return {
    conditions: position ? conditionsAfter(placedAt(keys, position.place)) : [],
    /** The total when the first page was read. */
    total: position?.total,
    cursorAt: (event: AuditEvent, total: number) =>
      cursorOf(walk, { place: keys.map(({ name }) => textOf(event[name as keyof AuditEvent])), total }),
  };
}

const textOf = (value: string | number | null) => (value === null ? null : String(value));

/** The conditions that select the events after a position. */
function conditionsAfter(place: readonly Placed<SortKey>[]): Condition[] {
  const any = partsAfter(place).map(({ same, key: { name: field, value }, than }): Condition[] => {
    const before = same.map(({ name, value }): Condition => ({ field: name, op: '$in', value: [value] }));
    if (than === 'missing') return [...before, { field, op: '$in', value: [null] }];
    if (than === 'present') return [...before, { field, op: '$ne', value: null }];
    return [...before, { field, op: than === '>' ? '$gt' : '$lt', value }];
  });
  return [...boundOf(place), { any }];
}

/**
 * A bound on the first key, from which an index scan can start. Only for `created_at`, by which the log is partitioned
 * and which is never null.
 */
function boundOf([first]: readonly Placed<SortKey>[]): Condition[] {
  if (first?.name !== 'created_at') return [];
  return [{ field: first.name, op: first.direction === 1 ? '$gte' : '$lte', value: first.value }];
}
