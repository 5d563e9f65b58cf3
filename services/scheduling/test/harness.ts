import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import type { Clock } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { schedulingApi } from '../src/api.ts';
import { schedulingService } from '../src/index.ts';

const surroundings = {
  operatorToken: 'crm_op_for-tests-only',
  serviceToken: 'crm_sv_for-tests-only',
  publicUrl: 'https://crm.example.com',
};

/** The whole service short of HTTP and the broker, beside the contacts that it asks, each on a database of its own. */
export async function schedulingUnderTest(facts: { readonly clock?: Clock } = {}) {
  const contacts = await serviceUnderTest(contactsApi, contactsService, facts);
  const identity = await serviceUnderTest(identityApi, identityService(surroundings), facts);
  const neighbours = { contacts: contacts.call, identity: identity.call };
  const scheduling = await serviceUnderTest(schedulingApi, schedulingService, { ...facts, neighbours });
  return {
    ...scheduling,
    contacts,
    identity,
    async close() {
      await scheduling.close();
      await contacts.close();
      await identity.close();
    },
  };
}
