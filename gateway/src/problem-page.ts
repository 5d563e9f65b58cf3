import { type ErrorForm, isTemporary, type Refused } from '@crm/contract';
import { html, standalonePage } from '@crm/html';
import type { FastifyRequest } from 'fastify';
import { preferredType } from './preferred-type.ts';
import type { ProblemAnswer } from './problem.ts';

/** Whether an error is shown to a person. Programs that ask for JSON get it from pages too. */
export const isForBrowser = ({ form, accept }: { form: ErrorForm | undefined; accept: string | undefined }) =>
  form === 'page' && preferredType(accept, ['text/html', 'application/json']) === 'text/html';

/** An error as a page that says what to do, with the status and headers of the usual response. */
export function problemPage(
  refused: Refused,
  { status, headers }: ProblemAnswer,
  { id, method }: FastifyRequest,
): ProblemAnswer {
  const page = standalonePage({
    status,
    title: refused.name === 'Unavailable' ? 'This page is not available at the moment' : refused.message,
    content: html`<p>${whatToDo(refused, method)}</p>
<p class="muted">Request id: ${id}</p>`,
  });
  return { status, headers: { ...headers, ...page.headers }, text: page.body };
}

function whatToDo(refused: Refused, method: string): string {
  const [isSoonOver, isFault] = [isTemporary(refused), refused.name === 'GeneralError'];
  if (!isSoonOver && !isFault)
    return 'Nothing was changed. Go back, correct what you sent, and send it again.';
  const again =
    method === 'POST'
      ? 'go back, reload the page to see whether your change was saved, and send it again if it was not'
      : 'reload this page';
  return isSoonOver
    ? `Wait a moment, and then ${again}.`
    : `Please ${again}. If this happens again, send the operator of this system the id of the request below.`;
}
