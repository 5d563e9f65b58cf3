import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startNats } from '@crm/embedded';
import { onTestFinished } from 'vitest';
import { brokerUsers, operatorUser } from '../src/broker-users.ts';
import { brokerAt, type TestService } from './rig.ts';

/** A broker with a user for each service, which reads the events of all but one, and one for the operator. */
export async function brokerWithUsers(
  services: readonly TestService[],
  secret?: TestService,
  changed = (lines: string) => lines,
) {
  const dataDir = await mkdtemp(join(tmpdir(), 'crm-broker-users-'));
  const names = services.map(({ service }) => service);
  const reads = names.filter((name) => name !== secret?.service);
  const users = [...names, operatorUser].map((name) => [name, { password: `secret of ${name}`, reads }]);
  const renewed = brokerUsers(Object.fromEntries(users));
  const lines = changed(renewed);
  const server = await startNats({ dataDir, syncInterval: '2m', lines });
  onTestFinished(async () => {
    await server.stop();
    await rm(dataDir, { recursive: true });
  });
  const urlOf = (user: string, password = `secret of ${user}`) =>
    `nats://${user}:${encodeURIComponent(password)}@127.0.0.1:${server.port}`;
  const connected = async (user: string) => {
    const broker = brokerAt(urlOf(user));
    await broker.ready(60_000);
    return broker;
  };
  /** Has the server read its users again, without what was changed in them. */
  const renew = async () => {
    const configuration = join(dataDir, 'nats', 'nats.conf');
    const text = await readFile(configuration, 'utf8');
    await writeFile(
      configuration,
      text.replace(lines, () => renewed),
    );
    process.kill(Number(await readFile(join(dataDir, 'nats', 'nats.pid'), 'utf8')), 'SIGHUP');
  };
  return { server, urlOf, connected, renew };
}
