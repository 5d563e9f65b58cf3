import { clearCrashPoints, setCrashPoint } from '@crm/dispatch';
import { itIsOnlyTheLastOnesWhoTookIt } from '@crm/dispatch/testing';
import { crash, holdAt } from '@crm/testing';
import { afterAll, afterEach, describe, expect, it } from 'vitest';
import { ago, taskAlertsUnderTest } from '../../test/task-alerts.ts';
import { remind } from './remind.ts';

const { under, instance, turn, alerts, statesOf, reasonOf, pair, task, later } = await taskAlertsUnderTest();
afterAll(under.close);
const { service, mail, carrier, workerContext } = under;

const points = ['task-alert.leased', 'task-alert.begun', 'task-alert.sent'];
afterEach(() => {
  mail.behave(undefined);
  carrier.behave(undefined);
  clearCrashPoints();
});

describe('the reminder of a task', () => {
  it.each([
    [1, 'Email'],
    [4, 'Email'],
    [2, 'Phone'],
    [5, 'Phone'],
    [3, 'Text'],
    [6, 'Text'],
  ] as const)('of the reminder type %i is sent once by %s when it is due', async (reminder_type, channel) => {
    const { ben, of } = await pair();
    const id = await task(ben, { reminder_type });
    await Promise.all([turn(), instance()()]);
    await turn();
    expect(await statesOf(id)).toEqual([['Reminder', channel, ben.id, 'Done']]);
    const [alert] = await alerts(id);
    const email = (await mail.mails()).find(({ message_id }) => message_id?.includes(String(alert?.key)));
    const phoned = [...carrier.texts(), ...carrier.calls()].find(({ key }) => key === alert?.key);
    expect(channel === 'Email' ? email?.to : [phoned?.to]).toEqual([
      channel === 'Email' ? of.email : of.phone,
    ]);
    expect(email?.subject ?? phoned?.words).toContain('Call Bill');
  });

  it.each([
    ['of a type without a reminder', { reminder_type: 0 }],
    ['of an agent task without a reminder', { reminder_type: 7 }],
    ['whose assignee is not to be notified', { notify_assignee: false }],
    ['that is not due yet', { due_at: ago(-1) }],
    ['that is done', { status: 'complete' }],
  ])('is not created for a task %s', async (_what, more) => {
    const { ben } = await pair();
    const id = await task(ben, more);
    await turn();
    expect(await statesOf(id)).toEqual([]);
  });

  it('is created for tasks of version 2.0 with an assignee', async () => {
    const { ben } = await pair();
    const draft = { action_type: 'Email Contact', description: 'Call Bill', status: 'incomplete' } as const;
    const { id } = await service.as(ben).tasks.create({ ...draft, assigned_user_id: ben.id, due_at: ago(0) });
    await turn();
    expect(await statesOf(id)).toEqual([['Reminder', 'Email', ben.id, 'Done']]);
  });

  it.each([
    ['made', async () => undefined],
    [
      'changed',
      ({ id }: { id: number }, api: ReturnType<typeof service.as>) => api.tasks.patch({ id, notes: 'Soon' }),
    ],
  ])('follows from the request that last %s the task', async (_what, change) => {
    const { ben } = await pair();
    const id = await task(ben);
    await change({ id }, service.as(ben));
    await turn();
    const [request] = await service.rows(
      `select request_id from audit_events where record_type = 'task' and record_id = $1 order by id desc limit 1`,
      [id],
    );
    expect((await alerts(id)).map(({ cause }) => cause)).toEqual([{ request_id: request?.request_id }]);
  });

  it('of an all-day task is due at eight in the morning', async () => {
    const { ben } = await pair();
    const today = new Date().toISOString().slice(0, 10);
    const id = await task(ben, { due_at: `${today}T23:59:59Z`, timezone: 'UTC', is_all_day: true });
    await remind(workerContext);
    const [alert] = await alerts(id);
    expect(new Date(String(alert?.due_at)).toISOString()).toBe(`${today}T08:00:00.000Z`);
  });

  it('is created again when the task gets another time, and is not sent for the old one', async () => {
    const { ben } = await pair();
    const id = await task(ben);
    await turn();
    await service.as(ben).tasks.patch({ id, due_at: ago(0.5) });
    await remind(workerContext);
    await service.as(ben).tasks.patch({ id, due_at: ago(-5) });
    await turn();
    expect((await statesOf(id)).map(([, , , state]) => state)).toEqual(['Done', 'Dropped']);
    expect((await alerts(id))[1]?.reason).toBe('The due time of the task was changed.');
  });

  it('goes to the current assignee of the task', async () => {
    const { anna, ben } = await pair();
    const id = await task(ben);
    await remind(workerContext);
    await service.as(ben).tasks.patch({ id, assigned_user_id: anna.id });
    await turn();
    expect(await statesOf(id)).toEqual([
      ['Reminder', 'Email', anna.id, 'Done'],
      ['Assignment', 'Email', anna.id, 'Done'],
    ]);
  });

  it.each(['complete', 'deleted'] as const)('is dropped when the task is %s', async (status) => {
    const { ben } = await pair();
    const id = await task(ben);
    setCrashPoint('task-alert.leased', async () => void (await service.as(ben).tasks.patch({ id, status })));
    await turn();
    clearCrashPoints();
    await later();
    await turn();
    expect(await statesOf(id)).toEqual([['Reminder', 'Email', ben.id, 'Dropped']]);
    expect(await reasonOf(id)).toBe('The task no longer has to be done.');
  });

  it('is removed with its task', async () => {
    const { ben } = await pair();
    const id = await task(ben);
    await remind(workerContext);
    await service.as(ben).tasks.remove({ id });
    await turn();
    expect(await statesOf(id)).toEqual([]);
  });

  it('that is more than half a day late is dropped, once', async () => {
    const { ben } = await pair();
    const [id, recent] = [await task(ben, { due_at: ago(13) }), await task(ben, { due_at: ago(11) })];
    await turn();
    await turn();
    expect(await statesOf(id)).toEqual([['Reminder', 'Email', ben.id, 'Dropped']]);
    expect(await reasonOf(id)).toBe('It was more than 12 hours late.');
    expect(await statesOf(recent)).toEqual([['Reminder', 'Email', ben.id, 'Done']]);
  });

  it('to a disabled account fails with a reason', async () => {
    const { ben } = await pair();
    const id = await task(ben);
    await service.identity.asSystem.users.disable({ user: ben.id });
    await turn();
    expect([await statesOf(id), await reasonOf(id)]).toEqual([
      [['Reminder', 'Email', ben.id, 'Failed']],
      "The user's account is disabled.",
    ]);
  });

  it('that cannot reach a phone goes by e-mail, and the task says why', async () => {
    const { ben, of } = await pair();
    const shown = async (id: number) => {
      const { alert_state, alert_reason } = await service.as(ben).tasks.get({ id });
      expect(await service.as(ben).scheduledTasks.get({ id })).toMatchObject({ alert_state, alert_reason });
      return { alert_state, alert_reason };
    };
    const mailsAbout = async (what: string) =>
      (await under.mail.mails()).filter(({ subject }) => subject?.includes(what));
    const text = await task(ben, { reminder_type: 3, description: 'Text of the opted out' });
    expect(await shown(text)).toEqual({ alert_state: null, alert_reason: null });
    await service.contacts.asSystem.optOuts.add({ number: of.phone, at: new Date().toISOString() });
    await turn();
    expect(await shown(text)).toEqual({
      alert_state: 'Sent',
      alert_reason: "The user's phone number has opted out of texts. An e-mail was sent instead.",
    });
    await service.identity.as(ben).me.patch({ has_call_alerts: false });
    const call = await task(ben, { reminder_type: 2, description: 'Call of the quiet' });
    await turn();
    expect(await shown(call)).toEqual({
      alert_state: 'Sent',
      alert_reason: 'The user does not want calls. An e-mail was sent instead.',
    });
    expect([await mailsAbout('Text of the opted out'), await mailsAbout('Call of the quiet')]).toMatchObject([
      [{}],
      [{}],
    ]);
  });
});

describe.each([
  [1, 'Email'],
  [2, 'Phone'],
  [3, 'Text'],
] as const)('a reminder of the type %i', (reminder_type, channel) => {
  it.each(points)('is accepted by the provider once after a crash at "%s"', async (point) => {
    const { ben } = await pair();
    const id = await task(ben, { reminder_type });
    setCrashPoint(point, crash);
    await expect(turn()).rejects.toThrow('crash');
    clearCrashPoints();
    await later();
    await turn();
    const [alert] = await alerts(id);
    expect(alert).toMatchObject({ state: 'Done', attempts: 2 });
    expect(under.received(alert?.key)).toMatchObject({ accepted: 1 });
  });

  it.each(points)(
    'is not accepted twice by a provider that forgets keys after a crash at "%s"',
    async (point) => {
      const { ben } = await pair();
      const id = await task(ben, { reminder_type });
      const send = instance(false);
      setCrashPoint(point, crash);
      await expect(send()).rejects.toThrow('crash');
      clearCrashPoints();
      await later();
      await send();
      const [alert] = await alerts(id);
      const isSent = channel === 'Email' || point === 'task-alert.leased';
      expect(alert).toMatchObject({ state: isSent ? 'Done' : 'Unknown' });
      expect(under.received(alert?.key).accepted).toBeLessThanOrEqual(1);
    },
  );

  it('that the provider cannot accept now waits, and is sent with the same key', async () => {
    const { ben } = await pair();
    const id = await task(ben, { reminder_type });
    mail.behave(() => ({ answer: 451 }));
    carrier.behave(() => ({ answer: 503 }));
    await turn();
    expect((await alerts(id))[0]).toMatchObject({
      state: 'Waiting',
      reason: expect.stringMatching(/451|503/),
    });
    mail.behave(undefined);
    carrier.behave(undefined);
    await later();
    await turn();
    const [alert] = await alerts(id);
    expect(alert).toMatchObject({ state: 'Done', reason: null });
    expect(under.received(alert?.key)).toEqual({ arrivals: 2, accepted: 1 });
  });
});

describe('an alert that a worker holds', () => {
  itIsOnlyTheLastOnesWhoTookIt({
    due: async () => {
      const { ben } = await pair();
      const id = await task(ben, { reminder_type: 3 });
      await remind(workerContext);
      const [alert] = await alerts(id);
      const now = async () => {
        const [{ state, attempts } = {}] = await alerts(id);
        return { state, attempts };
      };
      return { now, received: () => under.received(alert?.key) };
    },
    turn,
    later,
    hold: (point) => holdAt(setCrashPoint, `task-alert.${point}`),
    sent: 'Done',
  });
});

it('an alert whose address does not exist goes to the phone, immediately and from then on', async () => {
  const { ben, of } = await pair();
  mail.behave(() => ({ answer: 550, body: '5.1.1 No such user' }));
  const first = await task(ben);
  await turn();
  await later();
  await turn();
  mail.behave(undefined);
  const second = await task(ben);
  await turn();
  for (const id of [first, second]) {
    expect(await statesOf(id)).toEqual([['Reminder', 'Email', ben.id, 'Done']]);
    expect(await reasonOf(id)).toBe('E-mails to the user bounce. A text was sent instead.');
  }
  expect(carrier.texts().filter(({ to }) => to === of.phone)).toHaveLength(2);
});
