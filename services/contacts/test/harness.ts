import { serviceUnderTest } from '@crm/service/testing';
import { contactsApi } from '../src/api.ts';
import { contactsService } from '../src/index.ts';

/** The whole service without HTTP and the broker, on its own database. */
export const contactsUnderTest = () => serviceUnderTest(contactsApi, contactsService);
