export type { ActingClient, ContactsClient, Person, SentRow } from './acting-client.ts';
export { ContactsCsvError } from './contacts-csv-error.ts';
export { delimiterOf } from './csv/csv-file.ts';
export { BrokenCsv, type CsvRow, csvRows } from './csv/csv-rows.ts';
export type { Place } from './csv/line-count.ts';
export { byteOrderMark, csvText } from './csv/write-csv.ts';
export { type CustomColumn, customHeader } from './custom-header.ts';
export { cellsOf, columnOf, exportedFields, headersOf, type Layout } from './export/contact-cells.ts';
export { type ContactsExport, openExport } from './export/export-contacts.ts';
export {
  type Channel,
  type Contact,
  type ContactsContract,
  type Draft,
  type Format,
  formatOf,
  isShared,
  optOutFields,
} from './format.ts';
export { type Columns, errorColumns, ownHeaders, readColumns } from './import/columns.ts';
export { type DateOrders, dateOrdersIn, demandOneDateOrder } from './import/date-orders.ts';
export { furtherDestinations } from './import/further-destinations.ts';
export { type ActAs, importContacts } from './import/import-contacts.ts';
export { type ImportRun, importRows } from './import/import-rows.ts';
export { type Mapping, mappingOf, readMapping } from './import/mapping.ts';
export { matchAddresses } from './import/match-addresses.ts';
export type { ForAll } from './import/names.ts';
export { openContactsFile } from './import/open-contacts-file.ts';
export { type ImportOptions, openLinesRun, openRun } from './import/open-run.ts';
export type { Outcome } from './import/outcome.ts';
export { destinationsOf, destinationsToOptOut } from './import/read-cells.ts';
export { readPolitely } from './import/read-politely.ts';
export { draftFor, type InvalidRow, type ReadyRow } from './import/read-row.ts';
export { remarksOn } from './import/remark.ts';
export { reasonOf, remarkedRow } from './import/remarks-file.ts';
export { haveNobodyInCommon, type Match } from './import/same-person.ts';
export type { ImportSummary, Stop } from './import/tally.ts';
export { demandDecidedOptOuts } from './import/undecided-opt-outs.ts';
export { type Changing, isRehearsedId } from './import/writer.ts';
export { ownContacts } from './own-contacts.ts';
export { Unrepeatable } from './persistently.ts';
export { readFewer } from './read-fewer.ts';
export type { RunControl } from './run-control.ts';
export { addressesIn } from './values/email.ts';
