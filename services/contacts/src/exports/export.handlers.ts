import { implement } from '@crm/service';
import { exportApi } from './export.api.ts';
import { exportContacts } from './export-contacts.ts';

export const exportHandlers = implement(exportApi, { contacts: exportContacts });
