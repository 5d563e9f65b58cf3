import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long despite being short, the slowest first. Vitest starts with the longest files. */
const slow = [
  'test/lists.test.ts',
  'test/faults.test.ts',
  'test/fields.test.ts',
  'test/page-looks.test.ts',
  'crm/src/whole-system.test.ts',
  'crm/src/operator.test.ts',
  'test/mutations.test.ts',
  'crm/src/commands/contacts.test.ts',
  'test/site.test.ts',
  'test/idempotency.test.ts',
  'packages/messaging/src/replicas.test.ts',
  'test/pages-attacks.test.ts',
  'test/http.test.ts',
  'test/read-your-writes.test.ts',
  'test/conditional.test.ts',
  'test/packages.test.ts',
  'test/source-chains.test.ts',
  'test/pages.test.ts',
  'test/access.test.ts',
  'test/dispatch-crashes.test.ts',
  'crm/src/start/start.test.ts',
  'services/campaigns-templates/src/campaign-contacts/enrol-waiting.test.ts',
  'packages/compatibility/test/gate.test.ts',
  'test/import-pages.test.ts',
  'test/ports.test.ts',
  'packages/messaging/src/lost-events.test.ts',
  'crm/src/verify/verify.test.ts',
  'packages/service/src/event-subscriptions.test.ts',
  'crm/src/backup/backup.test.ts',
  'packages/messaging/src/consumer.test.ts',
  'packages/messaging/src/broker-unavailable.test.ts',
  'services/identity/src/tokens/token.test.ts',
  'packages/messaging/src/interruptions.test.ts',
  'packages/messaging/src/broker-users.test.ts',
  'crm/src/verify/fail-over.test.ts',
  'services/scheduling/src/dispatch/final-check.test.ts',
  'test/communication-crashes.test.ts',
  'packages/embedded/src/servers.test.ts',
  'test/code-samples.test.ts',
  'test/audit.test.ts',
  'packages/service/src/database-silent.test.ts',
  'packages/delivery/src/email.test.ts',
  'packages/service/src/database-unavailable.test.ts',
  'packages/recurrence/test/oracle.test.ts',
  'services/leads-routing/src/alerts/dispatch.test.ts',
  'test/lead-journeys.test.ts',
];

/** Starts with the slow files, so that a run does not end with one of them while the other processes are idle. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? slow.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
