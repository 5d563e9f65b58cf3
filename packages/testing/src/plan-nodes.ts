import type { Row } from '@crm/data';

export interface PlanNode extends Row {
  readonly Plans?: readonly PlanNode[];
}

/** The nodes of a statement's generic plan, with which a prepared statement runs. */
export async function planNodes(
  rows: (sql: string) => Promise<readonly Row[]>,
  statement: string,
): Promise<PlanNode[]> {
  const [row] = await rows(`explain (generic_plan, format json) ${statement}`);
  const plans = (row?.['QUERY PLAN'] ?? []) as readonly { readonly Plan: PlanNode }[];
  return plans.flatMap(({ Plan }) => nodesIn(Plan));
}

const nodesIn = (node: PlanNode): PlanNode[] => [node, ...(node.Plans ?? []).flatMap(nodesIn)];
