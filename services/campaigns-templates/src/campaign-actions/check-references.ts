import { peopleOf } from '@crm/auth';
import { invalidField, notInYourTeams, unknownRecord } from '@crm/contract';
import type { Context } from '@crm/service';
import { LockMode } from '@mikro-orm/core';
import { Template } from '../templates/template.entity.ts';
import type { CampaignAction } from './campaign-action.entity.ts';

/** Throws BadRequest for a user the caller does not work with; the error is the same if the user does not exist. */
export function checkAssignee({ user }: Context, id: number | null | undefined): void {
  if (id != null && !peopleOf(user).has(id)) throw invalidField('assigned_user_id', notInYourTeams(id));
}

const templateTypes: Readonly<Record<string, Template['template_type']>> = {
  'Email Contact': 'Email',
  'Call Contact': 'Phone',
  'Text Contact': 'Text',
};

interface TemplateUse extends Pick<CampaignAction, 'type'> {
  readonly template_id?: number | null | undefined;
}

/**
 * Throws BadRequest for a template that the caller does not own or the action cannot send; `field` is the client's name
 * for it. The template is locked, so that its type cannot change before the transaction ends.
 */
export async function checkTemplateOf({ em }: Context, { type, template_id }: TemplateUse, field: string) {
  if (template_id == null) return;
  const template = await em.findOne(Template, template_id, { lockMode: LockMode.PESSIMISTIC_READ });
  if (!template) throw invalidField(field, unknownRecord(template_id));
  const matching = templateTypes[type];
  if (template.template_type !== matching)
    throw invalidField(field, `must be a template of the type ${matching}`);
}
