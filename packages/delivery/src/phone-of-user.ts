import { toE164 } from './phone.ts';

interface Reachable {
  readonly phone: string | null;
  /** Undefined if an older instance was asked, which did not know it. */
  readonly has_text_alerts?: boolean;
  readonly has_call_alerts?: boolean;
}

/** The number in E.164 at which a user is texted or called, or why that is not possible. */
export function phoneOfUser(
  { phone, has_text_alerts, has_call_alerts }: Reachable,
  by: 'Text' | 'Phone',
  optedOut: ReadonlySet<string>,
): { readonly phone: string } | { readonly obstacle: string } {
  if (by === 'Text' && has_text_alerts === false) return { obstacle: 'The user does not want texts.' };
  if (by === 'Phone' && has_call_alerts === false) return { obstacle: 'The user does not want calls.' };
  if (!phone) return { obstacle: 'The user has no phone number.' };
  const number = toE164(phone);
  if (number === undefined) return { obstacle: "The user's phone number cannot be dialled." };
  if (by === 'Text' && optedOut.has(number))
    return { obstacle: "The user's phone number has opted out of texts." };
  return { phone: number };
}
