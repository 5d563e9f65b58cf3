import { createServer } from 'node:net';
import { migrate, openDatabase } from '@crm/data';
import { expect, it, onTestFinished } from 'vitest';
import { notesService } from '../test/notes.ts';

/** The first message of a client that wants an encrypted connection, and the answer of a server that has none. */
const encryption = Buffer.from('0000000804d2162f', 'hex');
const none = 'N';

/** A server without encryption, which keeps what clients send first, and whatever they send after its answer. */
async function startPlainServer() {
  const received: Buffer[] = [];
  const server = createServer((socket) => {
    const parts: Buffer[] = [];
    socket.on('data', (part) => {
      if (parts.push(Buffer.from(part.toString('latin1'), 'latin1')) === 1) socket.write(none);
    });
    socket.on('close', () => received.push(Buffer.concat(parts)));
    socket.on('error', () => undefined);
    setTimeout(() => socket.destroy(), 500);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const { port } = server.address() as { port: number };
  return { received, url: `postgres://notes:secret@127.0.0.1:${port}/crm?sslmode=verify-full` };
}

it('sends nothing to a database that it is told to encrypt, and that has no encryption', async () => {
  const { received, url } = await startPlainServer();
  await expect(migrate(url, notesService.store)).rejects.toThrow('does not support SSL');
  await expect(openDatabase({ url, store: notesService.store })).rejects.toThrow('does not support SSL');
  await expect.poll(() => received.length).toBeGreaterThan(1);
  for (const bytes of received) expect(bytes.toString('hex')).toBe(encryption.toString('hex'));
});
