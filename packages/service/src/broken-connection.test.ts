import { clientTo } from '@crm/data';
import { freshDatabase } from '@crm/testing';
import { expect, it } from 'vitest';

// Vitest fails for an error that nobody listens for. It would end a process before any `catch` or `finally`.
it('a connection that breaks fails its statements, and not the process', async () => {
  const { adminUrl, drop } = await freshDatabase([]);
  const client = clientTo(adminUrl);
  try {
    await client.connect();
    const end = client.query('select pg_terminate_backend(pg_backend_pid())');
    await expect(end).rejects.toThrow('terminat');
    await expect(client.query('select 1')).rejects.toThrow();
  } finally {
    await client.end();
    await drop();
  }
});
