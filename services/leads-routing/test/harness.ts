import { campaignsTemplatesService } from '@crm/campaigns-templates';
import { campaignsTemplatesApi } from '@crm/campaigns-templates/api';
import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import type { Clock } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { leadsRoutingApi } from '../src/api.ts';
import { leadsRoutingService } from '../src/index.ts';
import { peopleIn } from './people.ts';

const secrets = { operatorToken: 'crm_op_for-tests-only', serviceToken: 'crm_sv_for-tests-only' };

/** The whole service short of HTTP and the broker, among the services that it asks, each on a database of its own. */
export async function leadsUnderTest(facts: { readonly clock?: Clock } = {}) {
  const identity = await serviceUnderTest(identityApi, identityService(secrets), facts);
  const contacts = await serviceUnderTest(contactsApi, contactsService, facts);
  const campaigns = await serviceUnderTest(campaignsTemplatesApi, campaignsTemplatesService, facts);
  const neighbours = {
    identity: identity.call,
    contacts: contacts.call,
    'campaigns-templates': campaigns.call,
  };
  const leads = await serviceUnderTest(leadsRoutingApi, leadsRoutingService, { ...facts, neighbours });
  return {
    ...leads,
    ...peopleIn(identity.asSystem),
    identity,
    contacts,
    campaigns,
    async close() {
      for (const service of [leads, campaigns, contacts, identity]) await service.close();
    },
  };
}

export type LeadsUnderTest = Awaited<ReturnType<typeof leadsUnderTest>>;
