import { contactsService } from '@crm/contacts';
import { contactsApi } from '@crm/contacts/api';
import { nowhere } from '@crm/delivery/testing';
import { identityService } from '@crm/identity';
import { identityApi } from '@crm/identity/api';
import type { Clock } from '@crm/service';
import { serviceUnderTest } from '@crm/service/testing';
import { testSecrets } from '@crm/testing';
import { schedulingApi } from '../src/api.ts';
import { schedulingService } from '../src/index.ts';
import type { Settings } from '../src/settings.ts';

export const { publicUrl } = testSecrets;

interface Facts {
  readonly clock?: Clock;
  readonly settings?: Settings;
}

/**
 * The service without HTTP and the broker, with the services that it calls, each with its own database. None of its workers run,
 * so that a test decides what is done and when.
 */
export async function schedulingUnderTest({ settings = { delivery: nowhere }, ...facts }: Facts = {}) {
  // Without the given clock, because the database uses its own clock to decide whether an access token is valid.
  const identity = await serviceUnderTest(identityApi, identityService(testSecrets));
  const contacts = await serviceUnderTest(contactsApi, contactsService, facts);
  const peers = { identity: identity.call, contacts: contacts.call };
  const definition = { ...schedulingService(settings), workers: [] };
  const scheduling = await serviceUnderTest(schedulingApi, definition, { ...facts, peers });
  return {
    ...scheduling,
    identity,
    contacts,
    async close() {
      for (const service of [scheduling, contacts, identity]) await service.close();
    },
  };
}

export type SchedulingUnderTest = Awaited<ReturnType<typeof schedulingUnderTest>>;
