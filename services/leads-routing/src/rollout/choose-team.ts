import type { TeamSelectionMethod } from '../lead-routes/lead-route.api.ts';

interface LeadToOffer {
  readonly team_selection_method?: TeamSelectionMethod | null | undefined;
  readonly zipcode?: number | string | null | undefined;
}

export interface TeamToChoose {
  readonly id: number;
  readonly distribution_zipcodes: string | null;
}

/**
 * The team that a lead is offered to, among those of the lead's creator: the team of the route, or the oldest team with
 * the lead's zip code. Undefined if there is no such team, such as when the team of the route was removed.
 */
export function chooseTeam<Team extends TeamToChoose>(
  lead: LeadToOffer,
  routeTeamId: number | null,
  teamsOfCreator: readonly Team[],
): Team | undefined {
  if (lead.team_selection_method !== 'Zipcode') return teamsOfCreator.find(({ id }) => id === routeTeamId);
  const zip = zipOf(lead.zipcode);
  if (zip === undefined) return undefined;
  return teamsOfCreator
    .filter(({ distribution_zipcodes }) => zipsIn(distribution_zipcodes).has(zip))
    .reduce<Team | undefined>((first, team) => (first && first.id < team.id ? first : team), undefined);
}

const zipsIn = (list: string | null) => new Set((list ?? '').split(',').map(zipOf));

/**
 * A zip code in the form in which it is compared: five digits, without the four that may follow, or a Canadian postal
 * code without its space. Restores the leading zeros of a zip code that was stored as a number.
 */
function zipOf(written: number | string | null | undefined): string | undefined {
  const text = String(written ?? '').trim();
  const [, five] = /^(\d{1,5})(?:-?\d{4})?$/.exec(text) ?? [];
  if (five) return five.padStart(5, '0');
  const canadian = text.replace(' ', '').toUpperCase();
  return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(canadian) ? canadian : undefined;
}
