import { join } from 'node:path';
import { z } from 'zod';
import { readIfThere, writePrivate } from '../system/data-folder.ts';

const DemoPerson = z.object({
  first_name: z.string(),
  last_name: z.string(),
  role: z.enum(['broker', 'agent']),
  email: z.string(),
  phone: z.string().optional(),
  password: z.string(),
  /** Empty until the account is made. */
  token: z.string(),
});
export type DemoPerson = z.infer<typeof DemoPerson>;

const Demo = z.object({ complete: z.boolean(), people: z.array(DemoPerson) });
export type Demo = z.infer<typeof Demo>;

/** The people of the demo with their secrets, and whether all that belongs to them was made. */
export function readDemo(folder: string): Demo | undefined {
  const text = readIfThere(fileOf(folder));
  return text === undefined ? undefined : Demo.safeParse(JSON.parse(text)).data;
}

export function writeDemo(folder: string, demo: Demo): void {
  writePrivate(fileOf(folder), `${JSON.stringify(demo, null, 2)}\n`);
}

const fileOf = (folder: string): string => join(folder, 'demo.json');
