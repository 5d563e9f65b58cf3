import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { readIfExists, writePrivate } from './data-folder.ts';
import { serviceNames } from './services.ts';

const perService = z.record(z.enum(serviceNames), z.string());

/** How commands find a running system: where it listens and what it uses. */
const RunningSystem = z.object({
  pid: z.int(),
  /** When the process was started, as the operating system tells it; absent in files of earlier releases. */
  processStart: z.string().optional(),
  startedAt: z.string(),
  shape: z.enum(['one process', 'processes']),
  gateway: z.string(),
  services: perService,
  databaseUrls: perService,
  natsUrl: z.string(),
  /** The page that shows the messages of the local carriers. */
  messages: z.string().optional(),
  /** What leaves this machine: `e-mails`, `texts and calls`. */
  sends: z.array(z.string()).optional(),
  /** The variables of providers that LOCAL_CARRIERS overrides. */
  unusedProviders: z.array(z.string()).optional(),
  /** Whether campaign e-mails contain the operator's postal address; undefined if none leave this machine. */
  hasPostalAddress: z.boolean().optional(),
  versions: z.object({ node: z.string(), postgres: z.string().optional(), nats: z.string().optional() }),
});
export type RunningSystem = z.infer<typeof RunningSystem>;

/** Written once the system is running. Only its owner may read it, because it contains database passwords. */
export function writeSystemFile(folder: string, system: RunningSystem): void {
  writePrivate(fileOf(folder), `${JSON.stringify(system, null, 2)}\n`);
}

/** The system that is running, or that was killed; undefined after a clean stop. */
export function readSystemFile(folder: string): RunningSystem | undefined {
  const text = readIfExists(fileOf(folder));
  return text === undefined ? undefined : RunningSystem.safeParse(parsed(text)).data;
}

export function removeSystemFile(folder: string): void {
  rmSync(fileOf(folder), { force: true });
}

const fileOf = (folder: string): string => join(folder, 'system.json');

/** A file of another version, or an edited one, is ignored. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
