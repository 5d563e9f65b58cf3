import { choice, id, notFound, operation, page, refusal } from '@crm/contract';
import { z } from 'zod';

export const notPaused = refusal('Conflict', 'Texts to the contact are not paused.', {
  reason: 'texts_not_paused',
  when: 'The pause does not exist or has already ended.',
  fix: 'There is nothing to do. `GET /account/paused-texts` lists the pauses.',
  example: 'POST /contacts/4001/text-pause/end\n\n{ "texts": "continue" }',
  given: 'the contact has not asked for a pause',
});

export const decision = choice('continue', 'end');

/** A contact who asks in a sentence to be left alone pauses the texts, and an agent decides whether they continue. */
export const textPauseApi = {
  end: operation({
    rest: 'POST /contacts/:contact_id/text-pause/end',
    dryRun: false,
    creates: false,
    summary: 'Decide whether texts to a contact who asked to be left alone continue or end for good',
    input: z.object({
      contact_id: id,
      texts: decision.describe('end: the number gets no more texts until it sends START'),
    }),
    output: z.object({ contact_id: id, texts: decision }),
    refuses: [notFound, notPaused],
  }),
};

/** The pauses on a page, for the signed-in user. */
export const textPausePageApi = {
  show: page({
    rest: 'GET /account/paused-texts',
    kind: 'query',
    summary: 'Show the contacts who asked to be left alone and whom the signed-in user may decide about',
  }),
  decide: page({
    rest: 'POST /account/paused-texts',
    kind: 'mutation',
    summary: 'Decide whether texts to one of them continue or end for good',
  }),
};
