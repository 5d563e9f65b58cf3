import { implement } from '@crm/service';
import { accountApi, assetApi } from './account.api.ts';
import { html } from './html.ts';
import { paths } from './paths.ts';
import { stylesheet, stylesheetName } from './stylesheet.ts';
import { pageFor, showing, type Visit } from './visit.ts';
import { whoView } from './who.ts';

export const accountHandlers = implement(accountApi, {
  show: showing(
    () => paths.account,
    async (visit) => pageFor(visit, { title: 'Account', section: 'account', main: accountView(visit) }),
  ),
});

export const assetHandlers = implement(assetApi, {
  // Another name is asked for by a page of another version, which shall not keep what it gets.
  get: async (_ctx, { params }) => ({
    status: 200,
    headers: {
      'content-type': 'text/css; charset=utf-8',
      'cache-control':
        params.name === stylesheetName ? 'public, max-age=31536000, immutable' : 'public, max-age=0',
      'cross-origin-resource-policy': 'same-origin',
    },
    body: stylesheet,
  }),
});

const accountView = ({ user }: Visit) => html`
<h1>Your account</h1>
<section class="card" aria-label="Signed in as">
${whoView(user)}
</section>
<ul class="tiles">
<li><a class="tile" href="${paths.connected}">
<span class="name">Connected applications</span>
<span class="muted">See which applications can use your account, and withdraw their access.</span>
</a></li>
<li><a class="tile" href="${paths.applications}">
<span class="name">Your applications</span>
<span class="muted">Register software of your own, and get the secrets it needs.</span>
</a></li>
</ul>`;
