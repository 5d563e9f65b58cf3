import type { User } from '@crm/auth';
import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { nowhere } from '@crm/delivery/testing';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import { schedulingService } from '@crm/scheduling';
import { schedulingApi } from '@crm/scheduling/api';
import type { Clock } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { joinTeam, peopleIn, testSecrets } from '@crm/testing';
import { leadsRoutingApi } from '../src/api.ts';
import { leadsRoutingService } from '../src/index.ts';
import type { Settings } from '../src/settings.ts';

interface Facts {
  readonly clock?: Clock;
  readonly settings?: Settings;
}

/** The services on their own databases, each with the ones it calls. */
async function startServices({
  settings = { claimKey: 'a-key-of-claim-links-for-tests-only', delivery: nowhere },
  ...facts
}: Facts) {
  // Identity does not use the given clock: the database checks the validity of access tokens by its own clock.
  const identity = await serviceUnderTest(identityApi, identityService(testSecrets));
  const contacts = await serviceUnderTest(contactsApi, contactsService, facts);
  const campaigns = await serviceUnderTest(
    campaignsTemplatesApi,
    { ...campaignsTemplatesService, workers: [] },
    facts,
  );
  const scheduling = await serviceUnderTest(
    schedulingApi,
    { ...schedulingService(settings), workers: [] },
    { ...facts, peers: { identity: identity.call, contacts: contacts.call } },
  );
  const peers = {
    identity: identity.call,
    contacts: contacts.call,
    scheduling: scheduling.call,
    'campaigns-templates': campaigns.call,
  };
  const leads = await serviceUnderTest(
    leadsRoutingApi,
    { ...leadsRoutingService(settings), workers: [] },
    { ...facts, peers },
  );
  return { identity, contacts, scheduling, campaigns, leads };
}

/**
 * The service and those it calls, each on its own database, without HTTP or NATS. None of its workers runs, so that a
 * test decides what runs and when.
 */
export async function leadsUnderTest(facts: Facts = {}) {
  const { identity, contacts, scheduling, campaigns, leads } = await startServices(facts);
  const people = peopleIn(identity.asSystem);

  /** A team with accepted members, including its creator. */
  const teamOf = async (creator: User, members: readonly User[] = [], draft: object = {}) => {
    const { id } = await identity.as(creator).teams.create({ name: 'North', ...draft });
    for (const member of members) await joinTeam(identity, id, member);
    return id;
  };
  /** A lead source of the user, written to the database because the API cannot add one. */
  const leadSourceOf = async ({ id }: User, name = 'Zillow') => {
    const [row] = await leads.rows(
      `insert into lead_sources (user_id, name) values ($1, $2)
       on conflict (user_id, name) do update set name = excluded.name returning id`,
      [id, name],
    );
    return Number(row?.id);
  };
  return {
    ...leads,
    ...people,
    identity,
    contacts,
    scheduling,
    campaigns,
    teamOf,
    /** Removes a user from a team. */
    leave: (team_id: number, { id }: User) => identity.asSystem.teamMembers.remove({ team_id, user_id: id }),
    leadSourceOf,
    /** The service as called by the user now, with the teams joined so far. */
    asNow: async (user: User) => leads.as(await people.now(user)),
    async close() {
      for (const service of [leads, campaigns, scheduling, contacts, identity]) await service.close();
    },
  };
}

export type LeadsUnderTest = Awaited<ReturnType<typeof leadsUnderTest>>;
