import { peopleOf } from '@crm/auth';
import { wrong } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Template } from '../templates/template.entity.ts';
import type { CampaignAction } from './campaign-action.entity.ts';

/** Refuses who is none of the caller's people, in the words for who does not exist. */
export function checkAssignee({ user }: Context, id: number | null | undefined): void {
  if (id != null && !peopleOf(user).has(id))
    throw wrong('assigned_user_id', `'${id}' is not a user of your teams`);
}

const templateTypes: Readonly<Record<string, Template['template_type']>> = {
  'Email Contact': 'Email',
  'Call Contact': 'Phone',
  'Text Contact': 'Text',
};

interface Using extends Pick<CampaignAction, 'type'> {
  readonly template_id?: number | null | undefined;
}

/**
 * Refuses templates that are not the caller's own, and such as the action cannot send; `field` is what the
 * client calls it. The template is held until the transaction ends, so that it stays what it is.
 */
export async function checkTemplateOf({ em }: Context, { type, template_id }: Using, field: string) {
  if (template_id == null) return;
  const template = await em.findOne(Template, template_id, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!template) throw wrong(field, `'${template_id}' does not exist`);
  const fitting = templateTypes[type];
  if (template.template_type !== fitting) throw wrong(field, `must be a template of the type ${fitting}`);
}
