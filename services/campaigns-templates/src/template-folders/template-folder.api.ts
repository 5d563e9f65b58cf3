import { find, id, notFound, operation, pageOf, record, text } from '@crm/contract';
import { z } from 'zod';

export const templateTypes = [
  'Email',
  'Text',
  'Phone',
  'Direct Mail Letter',
  'Direct Mail Postcard',
] as const;

const typeCounts = z.object({
  Email: z.int().describe('Templates of e-mails'),
  Text: z.int().describe('Templates of texts'),
  Phone: z.int().describe('Templates of what to say on the phone'),
  'Direct Mail Letter': z.int().describe('Templates of letters'),
  'Direct Mail Postcard': z.int().describe('Templates of postcards'),
} satisfies Record<(typeof templateTypes)[number], z.ZodInt>);

export const TemplateFolderView = z.object({
  id,
  user_id: id.describe('The owner'),
  name: text(200)
    .min(1, { error: 'must not be empty' })
    .meta({ examples: ['Buyers'] }),
  description: text(200)
    .nullable()
    .meta({ examples: ['What buyers get'] }),
  original_template_folder_id: id.nullable().describe('The shared folder that it is a copy of'),
  counts: z.object({ counts: typeCounts }).describe('The number of templates of each type'),
});

const draft = TemplateFolderView.pick({ name: true, description: true });

export const templateFolderApi = {
  find: operation({
    rest: 'GET /template-folders',
    summary: 'List the template folders of the caller',
    input: find(TemplateFolderView),
    output: pageOf(TemplateFolderView),
  }),
  get: operation({
    rest: 'GET /template-folders/:id',
    summary: 'Read a template folder',
    input: record(TemplateFolderView, { id }),
    output: TemplateFolderView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /template-folders',
    summary: 'Add a template folder',
    input: draft.partial({ description: true }),
    output: TemplateFolderView,
  }),
  patch: operation({
    rest: 'PATCH /template-folders/:id',
    summary: 'Change a template folder',
    input: record(TemplateFolderView, { id, ...draft.partial().shape }),
    output: TemplateFolderView,
    refuses: [notFound],
  }),
};

export const templateFolderRemovalApi = {
  remove: operation({
    rest: 'DELETE /template-folders/:id',
    summary: 'Remove a template folder with all its templates',
    input: record(TemplateFolderView, { id }),
    output: TemplateFolderView,
    refuses: [notFound],
  }),
};

export const templateFolderSharingApi = {
  share: operation({
    rest: 'POST /template-folders/:id/shares',
    summary: 'Give a colleague a copy of a folder and its templates; returns the copy',
    input: z.object({
      id,
      user_id: id.describe("A member of the caller's teams, the broker or a sub-account"),
    }),
    output: TemplateFolderView,
    refuses: [notFound],
  }),
};
