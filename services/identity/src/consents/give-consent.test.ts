import { openTransaction, untilWaiting } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { identityUnderTest } from '../../test/harness.ts';
import { oauthIn } from '../../test/oauth-client.ts';
import { password, visitorOf } from '../../test/visitor.ts';

const identity = await identityUnderTest();
afterAll(identity.close);
const { someUser, someApp, tokensFor, withdraw, ask, queryOf } = oauthIn(identity);

it('a consent can be given again while it is being withdrawn', async () => {
  const [ada, app] = [await someUser(), await someApp()];
  await tokensFor(ada, app);
  const lock = 'select from consents where user_id = $1 for update';
  await using held = await openTransaction(identity.database, lock, [ada.id]);
  const browser = visitorOf(identity);
  await browser.signIn(ada.email, password);
  const withdrawing = withdraw({ ...ada, browser }, app);
  await untilWaiting(identity.rows, [withdrawing]);
  const asking = ask(ada, queryOf(app));
  await untilWaiting(identity.rows, [withdrawing, asking]);
  await held.rollback();
  await withdrawing;
  expect(await asking).toMatchObject({ status: 303 });
  expect(await identity.rows('select from consents where user_id = $1', [ada.id])).toHaveLength(1);
});
