import type { User } from '@crm/auth';
import { z } from 'zod';

/** The origin of a request, for work done later on behalf of its user. */
export const Origin = z.object({
  request_id: z.string(),
  act: z.object({ id: z.int(), delegation_id: z.int() }).nullable(),
  access: z
    .object({ token_id: z.int(), client_id: z.string().nullable(), address: z.string().nullable() })
    .nullable(),
});
export type Origin = z.output<typeof Origin>;

export const originOf = ({ act, access }: User, requestId: string): Origin => ({
  request_id: requestId,
  act,
  access,
});
