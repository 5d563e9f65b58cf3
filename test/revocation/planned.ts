import type { Json } from '../system/api.ts';
import { made } from '../system/made.ts';
import type { Person, System } from '../system.ts';
import type { Office } from './office.ts';

/** Something that is planned and has no effect until it is due. */
export interface Planned {
  /** Makes it due. */
  due(): Promise<unknown>;
  /** Whether it is still to take effect. */
  isWaiting(): Promise<boolean>;
  /** What may be lost besides what everybody may lose. */
  readonly revoke: Readonly<Record<string, () => Promise<unknown>>>;
  /** What may be lost without stopping it. */
  readonly outlives?: readonly string[];
  /** What somebody is told in any case, perhaps without a name, unless something is lost that leaves nothing to tell. */
  readonly told?: { readonly unless: readonly string[]; readonly look: () => Promise<boolean> };
  /** Somebody who must not see the contact once it has been lost. */
  readonly reader?: { readonly person: Person; readonly paths: readonly string[] };
}

export type Effect = (system: System, office: Office, channel: number) => Promise<Planned>;

export const has = async (system: System, service: string, sql: string, id: unknown) =>
  (await system.rows(service, sql, [id])).length > 0;
export const pick = <Of>(all: readonly Of[], index: number) => all[index % all.length] as Of;
export const planned = ({ planner }: Office, path: string, draft: Json) => made(planner, path, draft);
