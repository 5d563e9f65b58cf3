import { tmpdir } from 'node:os';
import { findProgram, type Program } from './find-program.ts';
import { reservePort } from './reserve-ports.ts';
import { startProgram } from './start-program.ts';

/** Each program is the server unless it is called by its other name. */
const programs = ['valkey-server', 'redis-server', 'valkey-check-rdb', 'redis-check-rdb'];

export interface TestValkey {
  readonly url: string;
  stop(): Promise<void>;
}

/** A real Valkey or Redis without persistence: installed, from a package, or in a container. */
export async function startValkey(): Promise<TestValkey> {
  if (process.env.TEST_INFRA === 'containers') return inContainer();
  const program = await findProgram(programs, 'redis-tools');
  if (program) return started(program);
  throw new Error('Neither Valkey nor Redis was found. Install one, or set TEST_INFRA=containers.');
}

async function started(program: Program): Promise<TestValkey> {
  const port = await reservePort();
  const settings = { port, bind: '127.0.0.1', save: '', appendonly: 'no', dir: tmpdir() };
  const args = Object.entries(settings).flatMap(([name, value]) => [`--${name}`, String(value)]);
  const stop = await startProgram({
    ...program,
    args,
    argv0: 'server',
    ready: 'Ready to accept connections',
  });
  return { url: `redis://127.0.0.1:${port}`, stop };
}

async function inContainer(): Promise<TestValkey> {
  const { GenericContainer, Wait } = await import('testcontainers');
  const image = process.env.VALKEY_IMAGE || 'valkey/valkey:8.1.9-alpine';
  const container = await new GenericContainer(image)
    .withExposedPorts(6379)
    .withWaitStrategy(Wait.forLogMessage(/Ready to accept connections/))
    .start();
  const stop = async () => void (await container.stop());
  return { url: `redis://${container.getHost()}:${container.getMappedPort(6379)}`, stop };
}
