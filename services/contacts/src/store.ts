import type { Store } from '@crm/data';
import { BulkOperation } from './bulk-operations/bulk-operation.entity.ts';
import { consistency } from './consistency.queries.ts';
import { ContactSource } from './contact-sources/contact-source.entity.ts';
import { Address } from './contacts/address.entity.ts';
import { Contact } from './contacts/contact.entity.ts';
import { CustomField } from './custom-fields/custom-field.entity.ts';
import { EventProperty } from './event-properties/event-property.entity.ts';
import { ContactEvent } from './events/event.entity.ts';
import { Hotness } from './hotnesses/hotness.entity.ts';
import { Import } from './imports/import.entity.ts';
import { Contacts } from './migrations/0001-contacts.ts';
import { Tags } from './migrations/0002-tags.ts';
import { CustomFields } from './migrations/0003-custom-fields.ts';
import { StaticLists } from './migrations/0004-static-lists.ts';
import { Events } from './migrations/0005-events.ts';
import { SharesAndPhones } from './migrations/0006-shares-and-phones.ts';
import { OptOuts } from './migrations/0007-opt-outs.ts';
import { MobileNumbers } from './migrations/0008-mobile-numbers.ts';
import { OptOutEvents } from './migrations/0009-opt-out-events.ts';
import { DefaultSources } from './migrations/0010-default-sources.ts';
import { Consents } from './migrations/0011-consents.ts';
import { RecordedTexts } from './migrations/0012-recorded-texts.ts';
import { DelegatedChanges } from './migrations/0013-delegated-changes.ts';
import { RemovedContactSources } from './migrations/0014-removed-contact-sources.ts';
import { Deliveries } from './migrations/0015-deliveries.ts';
import { OrderByModifiedAt } from './migrations/0020-order-by-modified-at.ts';
import { AuditEvents } from './migrations/0021-audit-events.ts';
import { SearchContacts } from './migrations/0050-search-contacts.ts';
import { ImportedRows } from './migrations/0060-imported-rows.ts';
import { ContactTimeZones } from './migrations/0061-contact-time-zones.ts';
import { LastActivity } from './migrations/0062-last-activity.ts';
import { BulkOperations } from './migrations/0063-bulk-operations.ts';
import { SearchInBatches } from './migrations/0064-search-in-batches.ts';
import { DeadLetters } from './migrations/0070-dead-letters.ts';
import { TextPauses } from './migrations/0071-text-pauses.ts';
import { Imports } from './migrations/0072-imports.ts';
import { History } from './migrations/0081-history.ts';
import { OrdersOfContacts } from './migrations/0090-orders-of-contacts.ts';
import { CalledSearchFunctions } from './migrations/0091-called-search-functions.ts';
import { FasterImports } from './migrations/0100-faster-imports.ts';
import { SparingNotifications } from './migrations/0130-sparing-notifications.ts';
import { SentMessages } from './migrations/0140-sent-messages.ts';
import { Partitions } from './migrations/0150-partitions.ts';
import { CheaperContacts } from './migrations/0160-cheaper-contacts.ts';
import { LostEvents } from './migrations/0170-lost-events.ts';
import { OwnersOfEvents } from './migrations/0190-owners-of-events.ts';
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
    { name: '0001-contacts', class: Contacts },
    { name: '0002-tags', class: Tags },
    { name: '0003-custom-fields', class: CustomFields },
    { name: '0004-static-lists', class: StaticLists },
    { name: '0005-events', class: Events },
    { name: '0006-shares-and-phones', class: SharesAndPhones },
    { name: '0007-opt-outs', class: OptOuts },
    { name: '0008-mobile-numbers', class: MobileNumbers },
    { name: '0009-opt-out-events', class: OptOutEvents },
    { name: '0010-default-sources', class: DefaultSources },
    { name: '0011-consents', class: Consents },
    { name: '0012-recorded-texts', class: RecordedTexts },
    { name: '0013-delegated-changes', class: DelegatedChanges },
    { name: '0014-removed-contact-sources', class: RemovedContactSources },
    { name: '0015-deliveries', class: Deliveries },
    { name: '0020-order-by-modified-at', class: OrderByModifiedAt },
    { name: '0021-audit-events', class: AuditEvents },
    { name: '0050-search-contacts', class: SearchContacts },
    { name: '0060-imported-rows', class: ImportedRows },
    { name: '0061-contact-time-zones', class: ContactTimeZones },
    { name: '0062-last-activity', class: LastActivity },
    { name: '0063-bulk-operations', class: BulkOperations },
    { name: '0064-search-in-batches', class: SearchInBatches },
    { name: '0070-dead-letters', class: DeadLetters },
    { name: '0071-text-pauses', class: TextPauses },
    { name: '0072-imports', class: Imports },
    { name: '0081-history', class: History },
    { name: '0090-orders-of-contacts', class: OrdersOfContacts },
    { name: '0091-called-search-functions', class: CalledSearchFunctions },
    { name: '0100-faster-imports', class: FasterImports },
    { name: '0130-sparing-notifications', class: SparingNotifications },
    { name: '0140-sent-messages', class: SentMessages },
    { name: '0150-partitions', class: Partitions },
    { name: '0160-cheaper-contacts', class: CheaperContacts },
    { name: '0170-lost-events', class: LostEvents },
    { name: '0190-owners-of-events', class: OwnersOfEvents },
  ],
  consistency,
};
