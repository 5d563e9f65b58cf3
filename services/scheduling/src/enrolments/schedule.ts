import type { CommunicationType } from '../communications/communication-type.api.ts';
import type { agentTaskTypes } from './enrolment.api.ts';
import { type Action, type Facts, isCommunication, Skipped, type When, whenOf } from './when-of.ts';

export type AgentTaskType = (typeof agentTaskTypes)[number];

interface Schedule {
  readonly communications: readonly {
    readonly action: Action;
    readonly type: CommunicationType;
    readonly send_at: Temporal.Instant;
  }[];
  readonly tasks: readonly ({ readonly action: Action; readonly type: AgentTaskType } & When)[];
  /** The actions that create nothing, each with a sentence that says why. */
  readonly skipped: readonly { readonly action: Action; readonly reason: string }[];
}

/**
 * Decides when the actions of a campaign happen for a contact who enters it at `start`; never before. It reads no clock, so that
 * the same input always results in the same schedule.
 */
export function schedule(actions: readonly Action[], facts: Facts): Schedule {
  const communications: Schedule['communications'][number][] = [];
  const tasks: Schedule['tasks'][number][] = [];
  const skipped: Schedule['skipped'][number][] = [];
  for (const action of actions) {
    try {
      const { type } = action;
      const when = whenOf(action, facts);
      if (isCommunication(type)) communications.push({ action, type, send_at: when.first.instant });
      else tasks.push({ action, type, ...when });
    } catch (error) {
      if (!(error instanceof Skipped)) throw error;
      skipped.push({ action, reason: error.message });
    }
  }
  return { communications, tasks, skipped };
}
