import { randomUUID } from 'node:crypto';
import { someone } from '@crm/testing';
import { afterAll, expect, it } from 'vitest';
import { taskAlertsUnderTest } from '../../test/task-alerts.ts';

const { under, turn, alerts, task, later } = await taskAlertsUnderTest();
afterAll(under.close);
const { service, mail } = under;

it('a reminder that may have been sent is not sent to another address of its user', async () => {
  const { id: user, email } = await under.sender();
  const id = await task({ ...someone(), id: user });
  mail.behave(() => 'break after accepting');
  await turn();
  mail.behave(undefined);
  await service.identity.rows('update users set email = $1 where id = $2', [
    `${randomUUID()}@harbour.example`,
    user,
  ]);
  await later();
  await turn();
  expect(await alerts(id)).toMatchObject([{ state: 'Unknown', sent_to: email, doubtful_attempts: 1 }]);
});
