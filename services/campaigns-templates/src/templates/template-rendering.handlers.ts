import { invalidField, noRecord, unknownRecord } from '@crm/contract';
import { mergeValuesOf, render, renderSubject } from '@crm/merge-fields';
import { type Context, implement } from '@crm/service';
import { identity } from '../peers.ts';
import { seenContact } from '../seen-contact.ts';
import { templateRenderingApi } from './template.api.ts';
import { Template } from './template.entity.ts';

export const templateRenderingHandlers = implement(templateRenderingApi, {
  render: async (ctx, { id, contact_id }) => {
    const template = await ctx.em.findOne(Template, id);
    if (!template) throw noRecord(id);
    const values = await valuesFor(ctx, contact_id);
    const subject = renderSubject(template.subject ?? '', values);
    const html = template.template_type === 'Email';
    const body = render(template.body ?? '', html ? { ...values, unsubscribe_url } : values, { html });
    return {
      subject: subject.text,
      body: body.text,
      unknown: [...new Set([...subject.unknown, ...body.unknown])],
      empty: [...new Set([...subject.empty, ...body.empty])],
    };
  },
});

/** Stands in for the unsubscribe link, which exists only in e-mails that are sent. */
const unsubscribe_url = '/unsubscribe/';

async function valuesFor(ctx: Context, contact_id: number) {
  const [contact, [user]] = await Promise.all([
    seenContact(ctx, contact_id),
    identity.asSystem(ctx).users.byIds({ ids: [ctx.user.id] }),
  ]);
  if (!contact) throw invalidField('contact_id', unknownRecord(contact_id));
  return mergeValuesOf(contact, user);
}
