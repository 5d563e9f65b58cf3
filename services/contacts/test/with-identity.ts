import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import { serviceUnderTest } from '@crm/service/testing';
import { peopleIn, testSecrets } from '@crm/testing';
import { contactsApi } from '../src/api.ts';
import { contactsService } from '../src/index.ts';

/** The service with the one that knows the rights of users, and without workers, so that a test decides what is done when. */
export async function contactsWithIdentity() {
  const identity = await serviceUnderTest(identityApi, { ...identityService(testSecrets), workers: [] });
  const peers = { identity: identity.call };
  const contacts = await serviceUnderTest(contactsApi, { ...contactsService, workers: [] }, { peers });
  return {
    ...contacts,
    ...peopleIn(identity.asSystem),
    identity,
    async close() {
      await contacts.close();
      await identity.close();
    },
  };
}
