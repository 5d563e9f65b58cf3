// What traces cost: node bench/src/traces/main.ts [--rounds 6] [--requests 2000]
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { createClient } from '@crm/client';
import { identityApi } from '@crm/identity/api';
import { startSystem } from '../start-system.ts';
import { cases, measureTraces, type Share, shares } from './measure-traces.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '6' },
    requests: { type: 'string', default: '2000' },
  },
});

await using cleanup = new AsyncDisposableStack();
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => void cleanup.disposeAsync().finally(() => process.exit(1)));
const parent = mkdtempSync(join(tmpdir(), 'crm-traces-'));
cleanup.defer(() => rmSync(parent, { recursive: true, force: true }));
const collector = createServer((request, response) => request.resume().on('end', () => response.end()));
collector.listen(0, '127.0.0.1');
await once(collector, 'listening');
cleanup.defer(() => void collector.close());

const file = join(parent, 'share');
writeFileSync(file, 'off');
const system = await startSystem(
  fileURLToPath(new URL('../../..', import.meta.url)),
  join(parent, 'data'),
  'one',
  {
    ...process.env,
    TRACES_FILE: file,
    TRACES_URL: `http://127.0.0.1:${(collector.address() as AddressInfo).port}`,
    NODE_OPTIONS: `--import=${new URL('switched/main.ts', import.meta.url)}`,
  },
);
cleanup.defer(system.stop);
const identity = createClient(identityApi, { url: system.identityUrl, token: system.operatorToken });
const person = { first_name: 'Agent', last_name: 'One', timezone: 'America/Vancouver' };
const { id } = await identity.users.create({ email: 'agent.1@example.com', ...person });
const { access_token: token } = await identity.tokens.create({ user: id, name: 'traces' });

/** When it returns, the spans before have been sent. */
async function record(share: Share): Promise<void> {
  writeFileSync(file, share);
  process.kill(system.pid, 'SIGUSR2');
  await sleep(500);
}

const say = (line: string) => void process.stdout.write(`${line}\n`);
const plan = { rounds: Number(values.rounds), requests: Number(values.requests) };
const least = await measureTraces({ system, token, record }, plan, say);

function cellOf(what: string, share: Share): string {
  const [off = 0, ms = 0] = [least.get(`${what}, off`), least.get(`${what}, ${share}`)];
  return `${ms.toFixed(3)} ms${share === 'off' ? '' : `, ${(100 * (ms / off - 1)).toFixed(1)} % more`}`;
}
say(`| Recorded | ${Object.keys(cases).join(' | ')} |\n|---|---|---|`);
for (const share of shares)
  say(`| ${[share, ...Object.keys(cases).map((what) => cellOf(what, share))].join(' | ')} |`);
