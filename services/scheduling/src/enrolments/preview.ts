import { noRecord } from '@crm/contract';
import type { DeliveryConfig } from '@crm/delivery';
import { byIds, type Context } from '@crm/service';
import type { z } from 'zod';
import { messageOf } from '../communications/message-of.ts';
import { emailBody, unsubscribeUrlOf } from '../dispatch/email-body.ts';
import { contacts, identity } from '../peers.ts';
import { draftsOf, type Plan, type TaskDraft } from './drafts.ts';
import type { Preview } from './enrolment.api.ts';
import { outcomesOf } from './preview-outcomes.ts';

/** What enrolling with a plan would create, with the texts as they would be sent now. Throws NotFound for a removed contact. */
export async function preview(
  ctx: Context,
  plan: Plan,
  delivery: DeliveryConfig,
): Promise<z.input<typeof Preview>> {
  const { communications, tasks, skipped } = draftsOf(plan);
  const [[contact], senders] = await Promise.all([
    contacts.asSystem(ctx).contacts.exportForDispatch({ ids: [plan.contact_id] }),
    byIds(
      communications.map(({ send_from_user_id }) => send_from_user_id),
      (ids) => identity.asSystem(ctx).users.byIds({ ids }),
    ),
  ]);
  if (!contact) throw noRecord(plan.contact_id);
  const outcomes = await outcomesOf(ctx, plan, communications, delivery);
  const unsubscribe_url = unsubscribeUrlOf(delivery);
  return {
    communications: communications.map((draft) => {
      const { action, type, send_at, send_from_user_id, template_name, template_folder_name } = draft;
      const sender = senders.get(send_from_user_id);
      const message = messageOf({ ...draft, unsubscribe_url }, contact, sender);
      const { subject, body: written, unknown, empty } = message;
      const isEmail = type === 'Email Contact';
      const body = isEmail ? emailBody(written, unsubscribe_url, delivery.postalAddress).html : written;
      const texts = { subject, body, unknown: [...unknown], empty: [...empty] };
      const from = { send_from_user_id, template_name, template_folder_name };
      const outcome = outcomes.get(draft) ?? { moved_to: null, is_refused: false, reason: null };
      return { action_id: action.id, type, send_at, ...from, ...texts, ...outcome };
    }),
    tasks: tasks.map(previewedTask),
    skipped: skipped.map(({ action, reason }) => ({ action_id: action.id, type: action.type, reason })),
  };
}

function previewedTask({ action, fields, due, recurrence_rule }: TaskDraft) {
  const { action_type, assigned_user_id, description, notes } = fields;
  return {
    action_id: action.id,
    action_type,
    assigned_user_id,
    description,
    notes,
    due_at: due.due_local,
    due_at_utc: due.due_at,
    timezone: due.timezone,
    recurrence_rule,
  };
}
