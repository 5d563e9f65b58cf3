import { internal } from '@crm/contract';
import { z } from 'zod';

export const keyApi = {
  find: internal({
    kind: 'query',
    for: 'anyone',
    summary: 'The public keys of internal tokens, as a JSON Web Key Set (RFC 7517)',
    input: z.object({}),
    output: z.object({ keys: z.array(z.record(z.string(), z.unknown())) }),
  }),
};
