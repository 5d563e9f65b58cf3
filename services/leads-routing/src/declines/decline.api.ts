import { id, notFound, operation } from '@crm/contract';
import { z } from 'zod';
import { leadClaimed, leadNotOffered, offerNotDue } from '../claims/claim.api.ts';
import { OfferView } from '../offers/offer.api.ts';

export const declineApi = {
  decline: operation({
    rest: 'POST /leads/:id/decline',
    creates: false,
    dryRun: false,
    summary: "Decline an offered lead; the next member's turn begins",
    input: z.object({ id }),
    output: OfferView,
    refuses: [notFound, leadNotOffered, offerNotDue, leadClaimed],
  }),
};
