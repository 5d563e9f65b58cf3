import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import type { Clock } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { schedulingApi } from '../src/api.ts';
import { schedulingService } from '../src/index.ts';

/** The whole service short of HTTP and the broker, beside the contacts that it asks, each on a database of its own. */
export async function schedulingUnderTest(facts: { readonly clock?: Clock } = {}) {
  const contacts = await serviceUnderTest(contactsApi, contactsService, facts);
  const neighbours = { contacts: contacts.call };
  const scheduling = await serviceUnderTest(schedulingApi, schedulingService, { ...facts, neighbours });
  return {
    ...scheduling,
    contacts,
    async close() {
      await scheduling.close();
      await contacts.close();
    },
  };
}
