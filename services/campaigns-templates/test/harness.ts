import type { Caller } from '@crm/client';
import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { unavailable } from '@crm/contract';
import { nowhere } from '@crm/delivery/testing';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import { schedulingService } from '@crm/scheduling';
import { schedulingApi } from '@crm/scheduling/api';
import { type Clock, createLog, linkedPeers, machineClock, type WorkerContext } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { peopleIn } from '@crm/testing';
import { campaignsTemplatesApi } from '../src/api.ts';
import { campaignsTemplatesService } from '../src/index.ts';

const settings = {
  operatorToken: 'crm_op_for-tests-only',
  serviceToken: 'crm_sv_for-tests-only',
  publicUrl: 'https://crm.example.com',
};

/** What becomes of a question on its way to scheduling, or of the answer on its way back. */
export type Way = 'open' | 'closed' | 'silent' | 'faulty' | 'answers lost';

/** A way to a service that can be disturbed. */
function disturbed(call: Caller) {
  let way: Way = 'open';
  const ask: Caller = async (asked) => {
    switch (way) {
      case 'closed':
        throw unavailable();
      case 'faulty':
        throw new Error('A fault.');
      case 'silent':
        return new Promise(() => undefined);
      case 'answers lost':
        await call(asked);
        throw unavailable();
      case 'open':
        return call(asked);
    }
  };
  const become = (next: Way) => {
    way = next;
  };
  return { ask, become };
}

/**
 * The whole service short of HTTP and the broker, among the services that it asks, each on a database of its own. It
 * does nothing by itself: a test decides what is done and when.
 */
export async function campaignsUnderTest(facts: { readonly clock?: Clock } = {}) {
  // Not on the given clock: the database judges by its own whether an access token still works.
  const identity = await serviceUnderTest(identityApi, identityService(settings));
  const contacts = await serviceUnderTest(contactsApi, contactsService, facts);
  const below = { identity: identity.call, contacts: contacts.call };
  const scheduling = await serviceUnderTest(
    schedulingApi,
    { ...schedulingService({ delivery: nowhere }), workers: [] },
    { ...facts, peers: below },
  );
  const wayToScheduling = disturbed(scheduling.call);
  const peers = { ...below, scheduling: wayToScheduling.ask };
  const campaigns = await serviceUnderTest(
    campaignsTemplatesApi,
    { ...campaignsTemplatesService, workers: [] },
    { ...facts, peers },
  );
  /** What the workers of one more instance are given. */
  const workerContext: WorkerContext = {
    database: campaigns.database,
    clock: facts.clock ?? machineClock,
    log: createLog('campaigns-templates', 'silent'),
    peers: linkedPeers(peers),
  };
  return {
    ...campaigns,
    ...peopleIn(identity.asSystem),
    contacts,
    scheduling,
    /** From now on. */
    wayToSchedulingBecomes: wayToScheduling.become,
    workerContext,
    async close() {
      for (const service of [campaigns, scheduling, contacts, identity]) await service.close();
    },
  };
}
