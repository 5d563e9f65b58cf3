import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Files that take long although they are short, the slowest first. Vitest starts with the longest files. */
const slow = [
  'test/faults.test.ts',
  'test/lists.test.ts',
  'test/page-looks.test.ts',
  'test/fields.test.ts',
  'packages/messaging/src/replicas.test.ts',
  'test/site.test.ts',
  'test/http.test.ts',
  'packages/service/src/database-silent.test.ts',
  'test/idempotency.test.ts',
  'crm/src/commands/contacts.test.ts',
  'packages/compatibility/test/gate.test.ts',
  'test/mutations.test.ts',
  'crm/src/operator.test.ts',
  'test/pages-attacks.test.ts',
  'crm/src/start/start.test.ts',
  'test/dispatch-crashes.test.ts',
  'test/packages.test.ts',
  'crm/src/backup/backup.test.ts',
  'crm/src/whole-system.test.ts',
  'test/conditional.test.ts',
  'packages/embedded/src/servers.test.ts',
  'test/access.test.ts',
  'test/communication-crashes.test.ts',
  'test/source-chains.test.ts',
  'test/load.test.ts',
  'crm/src/verify/verify.test.ts',
  'test/import-pages.test.ts',
];

/** Starts with the slow files, so that a run does not end with one of them while the other processes have nothing to do. */
export default class SlowFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) => {
      const place = slow.findIndex((name) => moduleId.endsWith(`/${name}`));
      return place < 0 ? slow.length : place;
    };
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}
