import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import { serviceUnderTest } from '@crm/service/testing';
import { campaignsTemplatesApi } from '../src/api.ts';
import { campaignsTemplatesService } from '../src/index.ts';
import { peopleIn } from './people.ts';

const settings = {
  operatorToken: 'crm_op_for-tests-only',
  serviceToken: 'crm_sv_for-tests-only',
  publicUrl: 'https://crm.example.com',
};

/** The whole service short of HTTP and the broker, among the services that it asks, each on a database of its own. */
export async function campaignsUnderTest() {
  const identity = await serviceUnderTest(identityApi, identityService(settings));
  const contacts = await serviceUnderTest(contactsApi, contactsService);
  const neighbours = { identity: identity.call, contacts: contacts.call };
  const campaigns = await serviceUnderTest(campaignsTemplatesApi, campaignsTemplatesService, { neighbours });
  return {
    ...campaigns,
    ...peopleIn(identity.asSystem),
    contacts,
    async close() {
      for (const service of [campaigns, contacts, identity]) await service.close();
    },
  };
}
