import { JsonText } from '@crm/data';
import type { AdmittedCall, CallRuntime } from './call-context.ts';
import { Pending } from './pending.ts';

/** The JSON of what a handler returned, before the last step of a mutation. */
export const rawTextOf = async (answer: unknown): Promise<string> =>
  (await fromDatabase(answer)) ?? JSON.stringify(answer);

/** The JSON text that a handler returned from the database, if it did. */
async function fromDatabase(answer: unknown): Promise<string | undefined> {
  const found = answer instanceof Pending ? await answer.result : answer;
  return found instanceof JsonText ? found.text : undefined;
}

/** The JSON of a response, as the contract defines it. JSON text from the database is only validated in tests. */
export async function textOf(
  runtime: CallRuntime,
  { procedure, input }: AdmittedCall,
  answer: unknown,
): Promise<string> {
  const { output } = procedure.operation;
  // With $select the contract does not determine which fields the response must have.
  const isPartial = hasSelect(input);
  const text = await fromDatabase(answer);
  if (text === undefined) return JSON.stringify(isPartial ? answer : output.parse(answer));
  if (runtime.checkAnswers && !isPartial) output.parse(JSON.parse(text));
  return text;
}

function hasSelect(input: unknown): boolean {
  const { select, $select } = input as { select?: unknown; $select?: unknown };
  return Boolean(select ?? $select);
}
