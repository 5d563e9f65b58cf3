import { find, id, notFound, operation, pageOf, record, refusal, text } from '@crm/contract';
import { z } from 'zod';

export const tagTaken = refusal('Conflict', 'You have this tag already.');

export const TagView = z.object({
  id,
  content: text(508)
    .min(1, { error: 'must not be empty' })
    .refine(isOneTag, { error: 'must be one tag: without commas, and without blanks at its ends' })
    .describe('Describes a contact, such as Buyer or Seller'),
});

/** A contact's tags are a text in which commas and the blanks around them stand between one tag and the next. */
export function isOneTag(content: string): boolean {
  return content !== '' && !content.includes(',') && content === content.trim();
}

const draft = TagView.pick({ content: true });

export const tagApi = {
  find: operation({
    rest: 'GET /tags',
    summary: 'List tags',
    input: find(TagView),
    output: pageOf(TagView),
  }),
  get: operation({
    rest: 'GET /tags/:id',
    summary: 'Read a tag',
    input: record(TagView, { id }),
    output: TagView,
    refuses: [notFound],
  }),
  create: operation({
    rest: 'POST /tags',
    summary: 'Add a tag; one that is there already is answered as it is',
    input: draft,
    output: TagView,
  }),
  patch: operation({
    rest: 'PATCH /tags/:id',
    summary: 'Rename a tag, on every contact that has it',
    input: record(TagView, { id, ...draft.partial().shape }),
    output: TagView,
    refuses: [notFound, tagTaken],
  }),
  remove: operation({
    rest: 'DELETE /tags/:id',
    summary: 'Remove a tag, from every contact that has it',
    input: record(TagView, { id }),
    output: TagView,
    refuses: [notFound],
  }),
};
