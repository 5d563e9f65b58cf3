import { dateOf } from '@crm/recurrence';
import type { z } from 'zod';
import type { CommunicationType } from '../communications/communication-type.api.ts';
import { type Recurrence, ruleText } from '../task-series/recurrence.ts';
import type { TaskFields } from '../tasks/add-task.ts';
import { localText } from '../tasks/due.ts';
import type { Plan as plan } from './enrolment.api.ts';
import { type AgentTaskType, schedule } from './schedule.ts';
import type { Action } from './when-of.ts';

export type Plan = z.output<typeof plan>;

/** A message to the contact, with the texts of its template at enrolment. */
export interface CommunicationDraft {
  readonly action: Action;
  readonly type: CommunicationType;
  readonly send_from_user_id: number;
  readonly send_at: Date;
  readonly template_name: string | null;
  readonly template_folder_name: string | null;
  readonly template_subject: string | null;
  readonly body: string | null;
  /** The digest of the text, unless the plan includes the text. */
  readonly body_digest: string | null;
}

/** A task for an agent. With a recurrence it is recurring, and the due time is that of its first occurrence. */
export interface TaskDraft {
  readonly action: Action;
  readonly fields: TaskFields & { readonly action_type: AgentTaskType; readonly assigned_user_id: number };
  readonly due: { readonly due_at: Date; readonly due_local: string; readonly timezone: string };
  readonly recurrence?: Recurrence;
  readonly recurrence_rule: string | null;
}

interface Drafts {
  readonly communications: readonly CommunicationDraft[];
  readonly tasks: readonly TaskDraft[];
  readonly skipped: readonly { readonly action: Action; readonly reason: string }[];
}

/** Everything that a plan creates. Preview and enrolment both use it, and therefore agree. */
export function draftsOf(plan: Plan): Drafts {
  const { start_at, timezone: zone, birthday, actions } = plan;
  const facts = { start: Temporal.Instant.from(start_at), zone, birthday };
  const { communications, tasks, skipped } = schedule(actions, facts);
  return {
    communications: communications.map(({ action, type, send_at }) => ({
      action,
      type,
      send_from_user_id: action.assigned_user_id ?? plan.user_id,
      send_at: dateOf(send_at),
      template_name: action.template?.name ?? null,
      template_folder_name: action.template?.folder_name ?? null,
      template_subject: action.template?.subject ?? null,
      body: action.template?.body ?? null,
      body_digest: action.template?.body_digest ?? null,
    })),
    tasks: tasks.map(({ action, type, first, recurrence }) => ({
      action,
      fields: {
        assigned_user_id: action.assigned_user_id ?? plan.user_id,
        contact_id: plan.contact_id,
        action_type: type,
        description: plan.campaign_name,
        notes: action.notes,
        is_all_day: false,
        notify_assignee: true,
        category_id: null,
      },
      due: {
        due_at: dateOf(first.instant.round({ smallestUnit: 'second', roundingMode: 'floor' })),
        due_local: localText(first.local),
        timezone: plan.timezone,
      },
      ...(recurrence && { recurrence }),
      recurrence_rule: recurrence ? ruleText(recurrence) : null,
    })),
    skipped,
  };
}
