import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, it, onTestFinished } from 'vitest';
import { checkGateway, checkService } from './services.ts';

/** The address of a server that is no part of the system. */
async function strangerThatAnswers(status: number, body: string): Promise<string> {
  const server = createServer((_request, response) => void response.writeHead(status).end(body));
  await once(server.listen(0, '127.0.0.1'), 'listening');
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

it.each([
  [429, '{"name":"TooManyRequests"}'],
  [200, '<html></html>'],
  [502, ''],
])(
  'a gateway that answers %i without its status is a problem, and no fault of the command',
  async (status, body) => {
    const gateway = await strangerThatAnswers(status, body);
    expect(await checkGateway({ gateway, services: {} as never })).toEqual({
      part: 'Gateway',
      state: 'problem',
      detail: `${gateway}/status answered ${status} without the status of the services`,
      fix: expect.stringContaining('CRM_URL'),
    });
  },
);

it.each(['<html></html>', '{"version":"1"}'])('a service that answers %s is a problem too', async (body) => {
  const url = await strangerThatAnswers(200, body);
  expect(await checkService('contacts', url, 'token')).toEqual([
    {
      part: 'contacts',
      state: 'problem',
      detail: `${url} answered without its status`,
      fix: expect.stringContaining('CONTACTS_URL'),
    },
  ]);
});
