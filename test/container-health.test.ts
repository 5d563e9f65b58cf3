import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startLocalCarriers } from '@crm/local-carriers';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { composeFile } from './compose/merge.ts';

const nowhere = 'http://127.0.0.1:9/';
const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

/** Whether the command of a health check succeeds when what it checks listens on this port. */
async function succeeds([program = '', ...words]: readonly string[], port: number): Promise<boolean> {
  const check = spawn(
    program,
    words.map((word) => word.replace('3000', String(port))),
  );
  const [code] = await once(check, 'close');
  return code === 0;
}

describe('the health check of a container', () => {
  it('succeeds while the service in it is ready, and only then', async () => {
    const [, command = ''] = /HEALTHCHECK .*\n\s+CMD (\[.*\])$/m.exec(read('Dockerfile')) ?? [];
    const check = z.array(z.string()).parse(JSON.parse(command));
    const answers = { status: 200, path: '' };
    const server = createServer(({ url = '' }, response) => {
      answers.path = url;
      response.writeHead(answers.status).end();
    });
    await once(server.listen(0, '127.0.0.1'), 'listening');
    const { port } = server.address() as AddressInfo;
    expect(await succeeds(check, port)).toBe(true);
    expect(answers.path).toBe('/readyz');
    answers.status = 503;
    expect(await succeeds(check, port)).toBe(false);
    await new Promise((closed) => server.close(closed));
    expect(await succeeds(check, port)).toBe(false);
  });

  it('succeeds while the local carriers listen, and only then', async () => {
    const { carriers } = z
      .object({
        services: z.object({ carriers: z.object({ healthcheck: z.object({ test: z.array(z.string()) }) }) }),
      })
      .parse(composeFile(read('docker-compose.yml'))).services;
    const [, ...check] = carriers.healthcheck.test;
    const { pageUrl, close } = await startLocalCarriers({
      ...{ host: '127.0.0.1', smtpPort: 0, pagePort: 0 },
      accountSid: 'AC1',
      authToken: 'a-secret-of-the-carrier',
      number: '+16045550100',
      callbackUrls: { text: nowhere, keyPress: nowhere },
    });
    const port = Number(new URL(pageUrl).port);
    expect(await succeeds(check, port)).toBe(true);
    await close();
    expect(await succeeds(check, port)).toBe(false);
  });
});
