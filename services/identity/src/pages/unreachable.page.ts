import { html } from '@crm/html';
import type { unreachableOf } from '../unreachable-addresses/unreachable-address.queries.ts';
import { hidden } from './form.ts';
import { paths } from './paths.ts';
import { showDate } from './show-date.ts';
import { formTo, type Visit } from './visit.ts';

type Unreachable = Awaited<ReturnType<typeof unreachableOf>>[number];

/** Where alerts do not reach the visitor, what happens instead, and how to fix it. */
export const unreachableView = (visit: Visit, unreachable: readonly Unreachable[]) =>
  unreachable.length > 0 &&
  html`<section class="card" aria-labelledby="unreachable">
<h2 id="unreachable">Alerts that do not reach you</h2>
${unreachable.map((one) => addressView(visit, one))}
</section>`;

const addressView = (visit: Visit, { address, why, noted_at, is_email }: Unreachable) => {
  const since = showDate(noted_at, visit.user.timezone);
  const words = is_email
    ? html`An e-mail to ${address} came back on ${since}. Alerts about leads and tasks go to your phone instead, if it
has a number and alerts as texts or calls are switched on below. When the mailbox accepts e-mails again, try again.`
    : why === 'opted out'
      ? html`${address} has refused texts since ${since}, so alerts come as e-mails. Text START from this phone to the number
that the alerts came from, or enter another number below, and then try again.`
      : html`A text to ${address} could not be delivered on ${since}, so alerts come as e-mails. Enter another number below,
or try again.`;
  return html`<div class="notice warn"><p>${words}</p>
${formTo(
  visit,
  paths.reachable,
  html`${hidden('address', address)}<button aria-label="Try ${address} again">Try again</button>`,
)}</div>`;
};
