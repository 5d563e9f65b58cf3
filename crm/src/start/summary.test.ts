import { expect, it } from 'vitest';
import { eachService } from '../system/services.ts';
import { summaryOf } from './summary.ts';

const running = {
  ...{ gateway: 'http://127.0.0.1:3000', messages: 'http://127.0.0.1:3007/page', folder: '/var/lib/crm' },
  ...{ services: eachService(() => 'http://127.0.0.1:3001'), people: [] },
};

it('says that messages stay here although providers are named', () => {
  expect(summaryOf({ ...running, unusedProviders: [] })).not.toContain('LOCAL_CARRIERS');
  expect(summaryOf({ ...running, unusedProviders: ['SMTP_URL', 'CARRIER_URL'] })).toContain(
    '\nLOCAL_CARRIERS is on, so all messages stay on this machine. It overrides SMTP_URL, CARRIER_URL.\n',
  );
});
