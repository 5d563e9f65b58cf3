import type { CallService } from '@crm/client';
import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { unavailable } from '@crm/contract';
import { nowhere } from '@crm/delivery/testing';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import { schedulingService } from '@crm/scheduling';
import { schedulingApi } from '@crm/scheduling/api';
import type { Clock } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { peopleIn, testSecrets } from '@crm/testing';
import { campaignsTemplatesApi } from '../src/api.ts';
import { campaignsTemplatesService } from '../src/index.ts';

/** How scheduling behaves, as seen by this service. */
export type Behaviour =
  | 'available'
  | 'unavailable'
  | 'silent'
  | 'silent once'
  | 'faulty'
  | 'losing responses';

/** A service whose behaviour can be changed. */
function controlled(call: CallService) {
  let behaviour: Behaviour = 'available';
  const callControlled: CallService = async (request) => {
    switch (behaviour) {
      case 'unavailable':
        throw unavailable();
      case 'faulty':
        throw new Error('Fault for this test.');
      case 'silent once':
        behaviour = 'available';
        return new Promise(() => undefined);
      case 'silent':
        return new Promise(() => undefined);
      case 'losing responses':
        await call(request);
        throw unavailable();
      case 'available':
        return call(request);
    }
  };
  const become = (next: Behaviour) => {
    behaviour = next;
  };
  return { call: callControlled, become };
}

/**
 * The service and those it calls, each on its own database, without HTTP or NATS. No worker runs, so that a test
 * decides what runs and when.
 */
export async function campaignsUnderTest(facts: { readonly clock?: Clock } = {}) {
  // Identity does not use the given clock: the database checks the validity of access tokens by its own clock.
  const identity = await serviceUnderTest(identityApi, identityService(testSecrets));
  const contacts = await serviceUnderTest(contactsApi, contactsService, {
    ...facts,
    peers: { identity: identity.call },
  });
  const below = { identity: identity.call, contacts: contacts.call };
  const scheduling = await serviceUnderTest(
    schedulingApi,
    { ...schedulingService({ delivery: nowhere }), workers: [] },
    { ...facts, peers: below },
  );
  const schedulingPeer = controlled(scheduling.call);
  const peers = { ...below, scheduling: schedulingPeer.call };
  const campaigns = await serviceUnderTest(
    campaignsTemplatesApi,
    { ...campaignsTemplatesService, workers: [] },
    { ...facts, peers },
  );
  return {
    ...campaigns,
    ...peopleIn(identity.asSystem),
    identity,
    contacts,
    scheduling,
    schedulingBecomes: schedulingPeer.become,
    async close() {
      for (const service of [campaigns, scheduling, contacts, identity]) await service.close();
    },
  };
}

export type CampaignsUnderTest = Awaited<ReturnType<typeof campaignsUnderTest>>;
