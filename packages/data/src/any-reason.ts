import { alternativesIn, isContains, type Rule } from '@crm/auth';
import { all, sqlOfRule } from '@crm/query';
import {
  keyNames,
  type ListStatement,
  notVisibleFor,
  ownedIn,
  type Reason,
  selectKeys,
} from './visibility-reasons.ts';

/**
 * The records that are visible for any reason, or as many of each as are read at most. Those of one owner are read on their own,
 * because an index may have all that is asked of them, and then those of the other reasons.
 */
export function anyReason(visible: Rule, list: ListStatement, most: number): Reason {
  const alternatives = alternativesIn(visible);
  const [own = {}] = alternatives;
  const rules = ownedIn(own, list.model)?.ids.length === 1 ? alternatives : [visible];
  const reads = rules.map((rule, at) => {
    const read = isShare(rule) ? matchesAmong : matchesOf;
    return `(${read(rule, rules.slice(0, at), list)} limit ${most})`;
  });
  return {
    prepared: [`visible as materialized (${reads.join(' union all ')})`],
    total: () => 'select count(*) from visible',
    candidates: [`select ${keyNames(list.extent.keys)} from visible`],
  };
}

/** Whether a rule makes visible what others have shared with the user, and nothing else. */
const isShare = (rule: Rule): boolean => Object.values(rule).every(isContains);

function matchesOf(rule: Rule, before: readonly Rule[], list: ListStatement): string {
  const { model, conditions, extent, binds } = list;
  const where = all(sqlOfRule(rule, model.columns, binds), notVisibleFor(before, list), conditions);
  return `select ${selectKeys(extent.keys)} from ${model.table} where ${where}`;
}

/** For shared records, which are few: the planner expects many, and would look for all others that match. */
function matchesAmong(rule: Rule, before: readonly Rule[], list: ListStatement): string {
  const { model, conditions, extent, binds } = list;
  const seen = all(sqlOfRule(rule, model.columns, binds), notVisibleFor(before, list));
  // `offset 0` keeps the planner from comparing the conditions first.
  const records = `(select * from ${model.table} where ${seen} offset 0) ${model.table}`;
  return `select ${selectKeys(extent.keys)} from ${records} where ${conditions}`;
}
