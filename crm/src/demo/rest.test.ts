import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { restAs } from './rest.ts';

it('repeats a request under its key while a service is busy, and gives up on a refusal', async () => {
  const keys: unknown[] = [];
  const statuses = [503, 409, 201, 400].values();
  const server = createServer(({ headers }, response) => {
    keys.push(headers['idempotency-key']);
    const status = statuses.next().value ?? 500;
    response.writeHead(status, status === 409 ? { 'retry-after': '1' } : {}).end('{"id":1}');
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  const rest = restAs(`http://127.0.0.1:${port}`, 'token');
  expect(await rest.create('/contacts', {}, 'a')).toEqual({ id: 1 });
  await expect(rest.create('/contacts', {}, 'b')).rejects.toThrow('responded with 400');
  expect(keys).toEqual(['a', 'a', 'a', 'b']);
});
