import type { SendingRules } from '@crm/delivery';
import { type Callback, callbackRequest, startCarriers } from '@crm/delivery/testing';
import { openDispatch } from '@crm/dispatch';
import type { Clock } from '@crm/service';
import { sendDue } from '@crm/testing';
import type { CommunicationType } from '../src/communications/communication-type.api.ts';
import { communicationQueue } from '../src/dispatch/communication-dispatcher.ts';
import type { Settings } from '../src/settings.ts';
import { communicationRowsOf } from './communication-rows.ts';
import { publicUrl, schedulingUnderTest } from './harness.ts';
import { peopleOf } from './people.ts';

const plenty: Readonly<Record<CommunicationType, number>> = {
  'Email Contact': 100,
  'Text Contact': 100,
  'Call Contact': 100,
};

/** The ending of every campaign e-mail. */
export const postalAddress = '12 Harbour Road, Boston, MA 02110';

/** The service with its own providers, in which messages are sent when a test calls `turn`. */
export async function dispatchUnderTest(rules: Partial<SendingRules> = {}, clock?: Clock) {
  const { delivery: usual, ...local } = await startCarriers(publicUrl);
  const delivery = { ...usual, postalAddress, rules: { ...usual.rules, ...rules } };
  const settings: Settings = { delivery };
  const service = await schedulingUnderTest({ settings, ...(clock && { clock }) });
  const { workerContext } = service;

  /** The settings of an instance, with a carrier that honors keys or not. */
  const settingsWith = (honoursKeys: boolean): Settings => {
    return { delivery: { ...delivery, carrier: { ...delivery.carrier, honoursKeys } } };
  };

  /** An instance that sends everything that is due, once per call. */
  const instance = (honoursKeys = true, free = plenty) =>
    instanceWith({ ...delivery.carrier, honoursKeys }, free);
  const instanceWith = (carrier: typeof delivery.carrier, free = plenty, smtpUrl = delivery.smtpUrl) => {
    const providers = { ...delivery, carrier, smtpUrl };
    const dispatch = openDispatch(communicationQueue(settings), providers, workerContext);
    const turn = () => sendDue(dispatch, free);
    return Object.assign(turn, { reconcile: dispatch.reconcile, slots: dispatch.slots });
  };

  /** Posts the provider's report about a text; returns the status of the response. */
  const reportText = async (
    key: unknown,
    status: string,
    { form = {}, ...other }: Partial<Callback> = {},
  ) => {
    const sent = { MessageSid: `SM${key}`.replaceAll('-', ''), MessageStatus: status, ...form };
    const callback = {
      path: `/callbacks/statuses/${key}`,
      params: { key: String(key) },
      ...other,
      form: sent,
    };
    return (await service.asSystem.statuses.report(callbackRequest(delivery, callback))).status;
  };

  const close = async () => {
    await service.close();
    await local.close();
  };
  const people = peopleOf(service);
  const rows = communicationRowsOf(service, local, people);
  const queue = communicationQueue(settings);
  const instances = {
    plenty,
    queue,
    settings,
    settingsWith,
    workerContext,
    instance,
    instanceWith,
    turn: instance(),
  };
  return { ...local, ...people, ...rows, ...instances, reportText, service, close };
}
