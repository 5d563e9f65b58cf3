import {
  choice,
  emptyAsNull,
  find,
  id,
  instant,
  integer,
  notFound,
  type Operation,
  operation,
  pageOf,
  record,
  text,
} from '@crm/contract';
import { z } from 'zod';
import { templateTypes } from '../template-folders/template-folder.api.ts';

export const templateSubject = text(1000).nullable();
export const templateDescription = text(200).nullable().describe('A note for the owner; it is not sent');

export const TemplateView = z.object({
  id,
  user_id: id.describe('The owner'),
  template_folder_id: id.describe('A folder of the caller'),
  template_type: choice(...templateTypes).describe('How the template is used'),
  subject: templateSubject.describe('May contain merge fields'),
  description: templateDescription,
  body: text(500_000)
    .nullable()
    .describe(
      'May contain merge fields such as {{contact.first_name}}; HTML for an e-mail, to which a link to unsubscribe is added unless it contains {{unsubscribe_url}}',
    ),
  file_id: emptyAsNull(integer).describe(
    'The id of an attachment; any number is accepted, because files are stored elsewhere',
  ),
  created_at: instant,
  modified_at: instant,
  warnings: z.array(z.string()).describe('What to check before sending it; warnings are not errors'),
});

const required = { template_folder_id: true, template_type: true } as const;
const draft = TemplateView.pick({
  ...required,
  subject: true,
  description: true,
  body: true,
  file_id: true,
});

export const templateApi = {
  find: operation({
    rest: 'GET /templates',
    summary: 'List the templates of the caller',
    input: find(TemplateView),
    output: pageOf(TemplateView),
  }),
  get: operation({
    rest: 'GET /templates/:id',
    summary: 'Read a template',
    input: record(TemplateView, { id }),
    output: TemplateView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /templates',
    summary: 'Add a template to a folder of the caller',
    input: draft.partial().extend(draft.pick(required).shape),
    output: TemplateView,
  }),
  patch: operation({
    rest: 'PATCH /templates/:id',
    summary: 'Change a template, or move it to another folder of the caller',
    input: record(TemplateView, { id, ...draft.partial().shape }),
    output: TemplateView,
    refuses: [notFound],
  }),
};

export const templateRemovalApi = {
  remove: operation({
    rest: 'DELETE /templates/:id',
    summary: 'Remove a template; campaign actions that use it continue without one',
    input: record(TemplateView, { id }),
    output: TemplateView,
    refuses: [notFound],
  }),
};

const render = operation({
  rest: 'POST /templates/:id/render',
  creates: false,
  summary: 'Render a template for a contact as if the caller sent it; nothing is stored or sent',
  input: z.object({ id, contact_id: id.describe('A contact that the caller can see') }),
  output: z.object({
    subject: z.string().describe('Always a single line'),
    body: z.string().describe('For an e-mail, HTML with escaped values'),
    unknown: z
      .array(z.string())
      .describe('Names that are not merge fields; they are replaced with empty text'),
    empty: z.array(z.string()).describe('Merge fields that have no value for this contact'),
  }),
  refuses: [notFound],
});

export const templateRenderingApi = {
  // A query runs outside any transaction, so it cannot write anything, and the read scope is enough to call it.
  render: { ...render, kind: 'query' } satisfies Operation,
};
