import {
  choice,
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

export const templateTypes = [
  'Email',
  'Text',
  'Phone',
  'Direct Mail Letter',
  'Direct Mail Postcard',
] as const;

export const templateSubject = text(1000).nullable();
export const templateDescription = text(200).nullable().describe('For its owner alone; it is not sent');

export const TemplateView = z.object({
  id,
  user_id: id.describe('Whose it is'),
  template_folder_id: id.describe('A folder of one’s own'),
  template_type: choice(...templateTypes).describe('The medium'),
  subject: templateSubject.describe('May hold merge fields'),
  description: templateDescription,
  body: text(100_000)
    .nullable()
    .describe('May hold merge fields such as {{contact.first_name}}; of an e-mail, HTML'),
  file_id: integer.nullable().describe('An attachment; any number, as long as files are kept elsewhere'),
  created_at: instant,
  modified_at: instant,
  warnings: z.array(z.string()).describe('What to look at before it is sent; nothing of it is an error'),
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
    summary: 'List one’s own templates',
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
    summary: 'Add a template to a folder of one’s own',
    input: draft.partial().extend(draft.pick(required).shape),
    output: TemplateView,
  }),
  patch: operation({
    rest: 'PATCH /templates/:id',
    summary: 'Change a template, or move it to another folder of one’s own',
    input: record(TemplateView, { id, ...draft.partial().shape }),
    output: TemplateView,
    refuses: [notFound],
  }),
  remove: operation({
    rest: 'DELETE /templates/:id',
    summary: 'Remove a template; campaign actions that use it then use none',
    input: record(TemplateView, { id }),
    output: TemplateView,
    refuses: [notFound],
  }),
};

const render = operation({
  rest: 'POST /templates/:id/render',
  creates: false,
  summary: 'Show what a contact would get of a template from the caller; nothing is stored or sent',
  input: z.object({ id, contact_id: id.describe('A contact that the caller sees') }),
  output: z.object({
    subject: z.string().describe('In one line'),
    body: z.string().describe('Of an e-mail, HTML in which the values are escaped'),
    unknown: z.array(z.string()).describe('Names that are no merge fields; nothing stands in their place'),
    empty: z.array(z.string()).describe('Merge fields that have no value here'),
  }),
  refuses: [notFound],
});

export const templateRenderingApi = {
  // A query: it runs outside any transaction, where nothing could be written, and reading is enough to ask for it.
  render: { ...render, kind: 'query' } satisfies Operation,
};
