import type { Refused } from '@crm/contract';
import type { Context } from './context.ts';
import { violatedUnique } from './faults.ts';

/**
 * Writes what was changed, and refuses what a unique constraint does not allow, by the name of the constraint. The
 * constraint decides, because two requests that look first would both find nothing. Any other error is thrown as it is.
 */
export async function flushOr(
  { em }: Pick<Context, 'em'>,
  refusals: Readonly<Record<string, () => Refused>>,
): Promise<void> {
  try {
    await em.flush();
  } catch (error) {
    const constraint = violatedUnique(error);
    const refusal = constraint === undefined ? undefined : refusals[constraint];
    throw refusal?.() ?? error;
  }
}
