import { freshDatabase } from '@crm/testing';
import pg from 'pg';
import { expect, it } from 'vitest';
import { eachService } from '../system/services.ts';
import { withClients } from './with-clients.ts';

it('leaves no connection open if one database cannot be reached', async () => {
  const { adminUrl, drop } = await freshDatabase([]);
  const watch = new pg.Client(adminUrl);
  await watch.connect();
  const others =
    'select from pg_stat_activity where datname = current_database() and pid <> pg_backend_pid()';
  const urls = eachService(() => adminUrl);
  const lost = { ...urls, 'leads-routing': `${adminUrl}_lost` };
  await expect(withClients(lost, async () => 'connected')).rejects.toMatchObject({ code: '3D000' });
  await expect.poll(async () => (await watch.query(others)).rowCount).toBe(0);
  await watch.end();
  await drop();
});
