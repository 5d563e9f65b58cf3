import { readModel } from '@crm/data';
import { ContactSourceView } from './contact-source.api.ts';
import { visibleContactSources } from './contact-source.policy.ts';

export const contactSourceRows = readModel(ContactSourceView, {
  table: 'contact_sources',
  visible: visibleContactSources,
});
