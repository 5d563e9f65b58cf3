import type { Store } from '@crm/data';
import { BulkOperation } from './bulk-operations/bulk-operation.entity.ts';
import { withholdEnrolments } from './bulk-operations/enrolment-portion.queries.ts';
import { consistency } from './consistency.queries.ts';
import { ContactSource } from './contact-sources/contact-source.entity.ts';
import { Address } from './contacts/address.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { CustomField } from './custom-fields/custom-field.entity.ts';
import { EventProperty } from './event-properties/event-property.entity.ts';
import { ContactEvent } from './events/event.entity.ts';
import { Hotness } from './hotnesses/hotness.entity.ts';
import { Import } from './imports/import.entity.ts';
import { Share } from './shares/share.entity.ts';
import { StaticList } from './static-lists/static-list.entity.ts';
import { Tag } from './tags/tag.entity.ts';

export const contactsStore: Store = {
  schema: 'contacts',
  entities: [
    Address,
    BulkOperation,
    Contact,
    ContactEvent,
    ContactSource,
    CustomField,
    EventProperty,
    Hotness,
    Import,
    Share,
    StaticList,
    Tag,
  ],
  migrations: [
    { name: '0001-contacts', load: () => import('./migrations/0001-contacts.ts') },
    { name: '0002-tags', load: () => import('./migrations/0002-tags.ts') },
    { name: '0003-custom-fields', load: () => import('./migrations/0003-custom-fields.ts') },
    { name: '0004-static-lists', load: () => import('./migrations/0004-static-lists.ts') },
    { name: '0005-events', load: () => import('./migrations/0005-events.ts') },
    { name: '0006-shares-and-phones', load: () => import('./migrations/0006-shares-and-phones.ts') },
    { name: '0007-opt-outs', load: () => import('./migrations/0007-opt-outs.ts') },
    { name: '0008-mobile-numbers', load: () => import('./migrations/0008-mobile-numbers.ts') },
    { name: '0009-opt-out-events', load: () => import('./migrations/0009-opt-out-events.ts') },
    { name: '0010-default-sources', load: () => import('./migrations/0010-default-sources.ts') },
    { name: '0011-consents', load: () => import('./migrations/0011-consents.ts') },
    { name: '0012-recorded-texts', load: () => import('./migrations/0012-recorded-texts.ts') },
    { name: '0013-delegated-changes', load: () => import('./migrations/0013-delegated-changes.ts') },
    {
      name: '0014-removed-contact-sources',
      load: () => import('./migrations/0014-removed-contact-sources.ts'),
    },
    { name: '0015-deliveries', load: () => import('./migrations/0015-deliveries.ts') },
    { name: '0020-order-by-modified-at', load: () => import('./migrations/0020-order-by-modified-at.ts') },
    { name: '0021-audit-events', load: () => import('./migrations/0021-audit-events.ts') },
    { name: '0050-search-contacts', load: () => import('./migrations/0050-search-contacts.ts') },
    { name: '0060-imported-rows', load: () => import('./migrations/0060-imported-rows.ts') },
    { name: '0061-contact-time-zones', load: () => import('./migrations/0061-contact-time-zones.ts') },
    { name: '0062-last-activity', load: () => import('./migrations/0062-last-activity.ts') },
    { name: '0063-bulk-operations', load: () => import('./migrations/0063-bulk-operations.ts') },
    { name: '0064-search-in-batches', load: () => import('./migrations/0064-search-in-batches.ts') },
    { name: '0070-dead-letters', load: () => import('./migrations/0070-dead-letters.ts') },
    { name: '0071-text-pauses', load: () => import('./migrations/0071-text-pauses.ts') },
    { name: '0072-imports', load: () => import('./migrations/0072-imports.ts') },
    { name: '0081-history', load: () => import('./migrations/0081-history.ts') },
    { name: '0090-orders-of-contacts', load: () => import('./migrations/0090-orders-of-contacts.ts') },
    {
      name: '0091-called-search-functions',
      load: () => import('./migrations/0091-called-search-functions.ts'),
    },
    { name: '0100-faster-imports', load: () => import('./migrations/0100-faster-imports.ts') },
    { name: '0130-sparing-notifications', load: () => import('./migrations/0130-sparing-notifications.ts') },
    { name: '0140-sent-messages', load: () => import('./migrations/0140-sent-messages.ts') },
    { name: '0150-partitions', load: () => import('./migrations/0150-partitions.ts') },
    { name: '0160-cheaper-contacts', load: () => import('./migrations/0160-cheaper-contacts.ts') },
    { name: '0170-lost-events', load: () => import('./migrations/0170-lost-events.ts') },
    { name: '0190-owners-of-events', load: () => import('./migrations/0190-owners-of-events.ts') },
    { name: '0200-words-by-owner', load: () => import('./migrations/0200-words-by-owner.ts') },
    { name: '0210-partitioned-events', load: () => import('./migrations/0210-partitioned-events.ts') },
    { name: '0220-lists-of-what-changes', load: () => import('./migrations/0220-lists-of-what-changes.ts') },
    { name: '0230-contact-totals', load: () => import('./migrations/0230-contact-totals.ts') },
    { name: '0240-filters-of-contacts', load: () => import('./migrations/0240-filters-of-contacts.ts') },
    { name: '0250-publish-again', load: () => import('./migrations/0250-publish-again.ts') },
    { name: '0250-removed-references', load: () => import('./migrations/0250-removed-references.ts') },
    { name: '0270-undoing', load: () => import('./migrations/0270-undoing.ts') },
    { name: '0271-forgotten-imports', load: () => import('./migrations/0271-forgotten-imports.ts') },
    { name: '0272-removed-fields', load: () => import('./migrations/0272-removed-fields.ts') },
    { name: '0280-recorded-events', load: () => import('./migrations/0280-recorded-events.ts') },
    { name: '0281-rehearsed-tags', load: () => import('./migrations/0281-rehearsed-tags.ts') },
    { name: '0340-replaced-assignments', load: () => import('./migrations/0340-replaced-assignments.ts') },
    { name: '0350-repeated-shares', load: () => import('./migrations/0350-repeated-shares.ts') },
    { name: '0390-agent-opt-outs', load: () => import('./migrations/0390-agent-opt-outs.ts') },
    { name: '0440-same-mailboxes', load: () => import('./migrations/0440-same-mailboxes.ts') },
    { name: '0460-no-empty-mailboxes', load: () => import('./migrations/0460-no-empty-mailboxes.ts') },
    { name: '0480-rehearsed-names', load: () => import('./migrations/0480-rehearsed-names.ts') },
    { name: '0500-named-by-imports', load: () => import('./migrations/0500-named-by-imports.ts') },
  ],
  onRestore: [withholdEnrolments],
  consistency,
};
