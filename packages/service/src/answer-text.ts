import { JsonText } from '@crm/data';
import type { AdmittedCall, CallRuntime } from './call-context.ts';

/** The JSON of what a handler returned, before the last step of a mutation. */
export const rawTextOf = (answer: unknown): string =>
  answer instanceof JsonText ? answer.text : JSON.stringify(answer);

/** The JSON of a response, as the contract defines it. JSON text from the database is only validated in tests. */
export function textOf(runtime: CallRuntime, { procedure, input }: AdmittedCall, answer: unknown): string {
  const { output } = procedure.operation;
  // With $select the contract does not determine which fields the response must have.
  const isPartial = hasSelect(input);
  if (!(answer instanceof JsonText)) return JSON.stringify(isPartial ? answer : output.parse(answer));
  if (runtime.checkAnswers && !isPartial) output.parse(JSON.parse(answer.text));
  return answer.text;
}

function hasSelect(input: unknown): boolean {
  const { select, $select } = input as { select?: unknown; $select?: unknown };
  return Boolean(select ?? $select);
}
