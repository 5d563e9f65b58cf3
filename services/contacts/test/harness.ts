import { serviceUnderTest } from '@crm/service/testing';
import { contactsApi } from '../src/api.ts';
import { contactsService } from '../src/index.ts';

/** The whole service short of HTTP and the broker, on a database of its own. */
export const contactsUnderTest = () => serviceUnderTest(contactsApi, contactsService);
