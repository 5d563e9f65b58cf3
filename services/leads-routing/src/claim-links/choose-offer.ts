import type { TextedOffer } from './inbound-text.queries.ts';

export type Choice =
  | { readonly is: 'one'; readonly offer: TextedOffer }
  | { readonly is: 'none' }
  | { readonly is: 'several'; readonly lead_ids: readonly number[] };

/** The lead that a reply refers to, among the leads that its number was texted about, given the latest first. */
export function chooseOffer(offers: readonly TextedOffer[], named: number | undefined): Choice {
  const meant = named === undefined ? offers : offers.filter(({ lead_id }) => lead_id === named);
  const open = meant.filter(({ isOpen }) => isOpen);
  const leads = [...new Set(open.map(({ lead_id }) => lead_id))];
  if (leads.length > 1) return { is: 'several', lead_ids: leads };
  // If none is open, the reply refers to the latest, and its sender is told who claimed it.
  const offer = open[0] ?? meant[0];
  return offer ? { is: 'one', offer } : { is: 'none' };
}
