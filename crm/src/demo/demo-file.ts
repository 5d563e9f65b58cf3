import { join } from 'node:path';
import { z } from 'zod';
import { readIfExists, writePrivate } from '../system/data-folder.ts';

const DemoPerson = z.object({
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(['broker', 'agent']),
  email: z.string(),
  phone: z.string().optional(),
  password: z.string(),
  /** Empty until the account is created. */
  token: z.string(),
});
export type DemoPerson = z.infer<typeof DemoPerson>;

const Demo = z.object({ complete: z.boolean(), people: z.array(DemoPerson) });
export type Demo = z.infer<typeof Demo>;

/** The demo users with their secrets, and whether the seeding is complete. */
export function readDemo(folder: string): Demo | undefined {
  const text = readIfExists(fileOf(folder));
  return text === undefined ? undefined : Demo.safeParse(JSON.parse(text)).data;
}

export function writeDemo(folder: string, demo: Demo): void {
  writePrivate(fileOf(folder), `${JSON.stringify(demo, null, 2)}\n`);
}

const fileOf = (folder: string): string => join(folder, 'demo.json');
