import type { Refused } from '@crm/contract';
import { violatedUnique } from './classify-error.ts';
import type { Context } from './context.ts';

/**
 * Writes the changes, and throws the refusal for a violated unique constraint, by its name. The constraint decides, because two
 * concurrent requests that check first would both find nothing. Any other error is thrown as it is.
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
