import { shortLine } from '@crm/delivery';
import type { RouteProblem } from '../lead-routes/lead-route.api.ts';

interface Facts {
  readonly member: string;
  readonly problem: RouteProblem;
  readonly lead_route_id: number;
  readonly source: string;
  readonly filter: string | null;
}

const losses: Readonly<Record<RouteProblem, string>> = {
  'Team removed': 'Its team was removed.',
  'Campaign not available': 'Its campaign was removed, or is no longer shared with you.',
  'Lead source not available': 'Its lead source is no longer shared with you.',
  'Contact source removed': 'Its contact source was removed.',
};

/** The e-mail that tells the creator of a lead route what it has lost. */
export function routeAlertWords({ member, problem, lead_route_id, source, filter }: Facts) {
  const type = filter === null ? '' : ` and the type ${shortLine(filter, 100)}`;
  const what = `Your lead route ${lead_route_id}, for leads of the source ${shortLine(source, 100)}${type}`;
  const effect =
    problem === 'Lead source not available'
      ? 'No new lead can match it until you give it another lead source.'
      : 'Until you change the route, all leads that match it go to you.';
  return {
    subject: `Your lead route ${lead_route_id} is incomplete`,
    text: `Hello ${member}, something that a lead route of yours needs is missing.

${what}:
${losses[problem]} ${effect}
`,
  };
}
