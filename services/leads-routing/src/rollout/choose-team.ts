export interface LeadToPlace {
  readonly team_selection_method?: 'Specific Team' | 'Zipcode' | null | undefined;
  readonly zipcode?: number | string | null | undefined;
}

export interface TeamToChoose {
  readonly id: number;
  readonly distribution_zipcodes: string | null;
}

/**
 * The team that a lead is offered to, of those that the lead's creator has made: the one the route names, or the first
 * made one that has the lead's zip code. None where the named team is not, or no longer, among them.
 */
export function chooseTeam<Team extends TeamToChoose>(
  lead: LeadToPlace,
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
 * A zip code in the form in which two are compared: five digits without the four more, or six letters and digits of
 * Canada. Whoever keeps zip codes as numbers loses the zeros in front.
 */
export function zipOf(written: number | string | null | undefined): string | undefined {
  const text = String(written ?? '').trim();
  const [, five] = /^(\d{1,5})(?:-?\d{4})?$/.exec(text) ?? [];
  if (five) return five.padStart(5, '0');
  const canadian = text.replace(' ', '').toUpperCase();
  return /^[A-Z]\d[A-Z]\d[A-Z]\d$/.test(canadian) ? canadian : undefined;
}
