import { find, id, notFound, operation, pageOf, record, refusal, text } from '@crm/contract';
import { z } from 'zod';

export const tagExists = refusal('Conflict', 'A tag with this name already exists.', {
  reason: 'tag_exists',
  when: 'A tag is renamed to the name of another one.',
  fix: 'Use the existing tag, or choose another name.',
  example: 'PATCH /tags/4001\n\n{ "content": "buyer" }',
  given: 'you have a tag with this name',
});

/** The maximum length of the text of a contact's tags when it is written, and thus of a tag. */
export const maxTagsLength = 508;

export const TagView = z.object({
  id,
  content: text(maxTagsLength)
    .min(1, { error: 'must not be empty' })
    .refine(isOneTag, { error: 'must be one tag, without commas and without leading or trailing spaces' })
    .describe('Describes a contact, such as Buyer or Seller'),
});

/** The tags of a contact are one text, in which commas with optional spaces separate them. */
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
    summary: 'Add a tag, or return the existing one',
    input: draft,
    output: TagView,
  }),
  patch: operation({
    rest: 'PATCH /tags/:id',
    summary: 'Rename a tag on all contacts',
    input: record(TagView, { id, ...draft.partial().shape }),
    output: TagView,
    refuses: [notFound, tagExists],
  }),
  remove: operation({
    rest: 'DELETE /tags/:id',
    summary: 'Remove a tag from all contacts',
    input: record(TagView, { id }),
    output: TagView,
    refuses: [notFound],
  }),
};
