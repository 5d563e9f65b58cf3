import { isUser, type User } from '@crm/auth';
import { openDispatch } from '@crm/dispatch';
import { subAccountRemoved } from '@crm/events';
import type { PublishedEvent } from '@crm/service/testing';
import { sendDue } from '@crm/testing';
import { routeAlertQueue } from '../src/route-alerts/route-alert-dispatcher.ts';
import { dispatchUnderTest } from './dispatch.ts';

/** The alerts of lead routes under test, with routes and brokers. */
export async function routeAlertsUnderTest() {
  const { service, settings, workerContext, mail, close } = await dispatchUnderTest();
  const { identity, campaigns, contacts, deliver, rows } = service;

  async function send(queue = routeAlertQueue): Promise<void> {
    const dispatch = openDispatch(queue, settings.delivery, workerContext);
    await sendDue(dispatch, { Email: 100 });
  }

  const received = new Set<string>();
  /** Delivers what the services have published since the last time. */
  async function receiveAll(change: (event: PublishedEvent) => PublishedEvent = (event) => event) {
    for (const publisher of [identity, contacts, campaigns])
      for (const event of await publisher.published()) {
        if (received.has(event.id)) continue;
        received.add(event.id);
        await service.receive(change(event));
      }
  }

  return {
    service,
    close,
    receiveAll,
    /** Sends what is due, and runs `work` after the rights of the users have been loaded. */
    sendDuring: (work: () => Promise<unknown>): Promise<void> =>
      send({
        ...routeAlertQueue,
        load: async (...given) => {
          const facts = await routeAlertQueue.load(...given);
          await work();
          return facts;
        },
      }),
    /** Sends everything due, and returns the e-mails that a user has been sent about lead routes. */
    async told({ id }: User) {
      await send();
      const [{ email } = { email: '' }] = await identity.asSystem.users.byIds({ ids: [id] });
      const mails = await mail.mails();
      return mails.filter(({ to, subject }) => String(to).includes(email) && /route/.test(String(subject)));
    },
    outcomes: ({ id }: User) =>
      rows('select problem, state from lead_route_alerts where owner_user_id = $1 order by id', [id]),
    /** A route of a user, with the records it refers to. */
    async routeOf(user: User, names: object = {}) {
      const name = `${Math.random()}`;
      const campaign_id = (await campaigns.as(user).campaigns.create({ name })).id;
      const contact_source_id = (await contacts.as(user).contactSources.create({ name })).id;
      const team_id = await service.teamOf(user);
      const own = { campaign_id, contact_source_id, lead_source_id: await service.leadSourceOf(user, name) };
      const target = {
        distribution_target: 'Team Rollout',
        team_selection_method: 'Specific Team',
        team_id,
      } as const;
      const { leadRoutes } = await service.asNow(user);
      return leadRoutes.create({ ...own, ...target, ...names });
    },
    /** A broker and a user who may use what the broker shares. */
    async brokerage() {
      const broker = await service.person({ is_broker: true });
      const agent = await service.person();
      const { subAccounts } = identity.as(broker);
      const add = async (is_lead_sources_enabled: boolean) => {
        await identity.asSystem.subAccounts.consent({ broker: broker.id, user: agent.id });
        return subAccounts.create({ user_id: agent.id, is_lead_sources_enabled });
      };
      const { id, access_token } = await add(true);
      const acting = await identity.asSystem.actors.resolve({ token: access_token });
      if (!isUser(acting)) throw new Error('A user was expected.');
      const { campaigns: owned } = campaigns.as(broker);
      const campaign = { name: `${Math.random()}`, is_broker_sharing_on: true };
      const campaign_id = (await owned.create(campaign)).id;
      const data = { sub_account_id: id, broker_user_id: broker.id, user_id: agent.id };
      return {
        broker,
        agent,
        /** The broker acting as the agent. */
        acting,
        campaign_id,
        lead_source_id: await service.leadSourceOf(broker, 'Billboard'),
        changed: { campaign_id, owner_user_id: broker.id },
        rename: () => owned.patch({ id: campaign_id, name: `${Math.random()}` }),
        share: (is_broker_sharing_on: boolean) => owned.patch({ id: campaign_id, is_broker_sharing_on }),
        remove: () => subAccounts.remove({ id }),
        /** Adds the agent again, with or without the right to use the broker's lead sources. */
        add,
        async end(at = new Date()) {
          await subAccounts.remove({ id });
          await deliver(subAccountRemoved, data, at, 2);
        },
      };
    },
  };
}
