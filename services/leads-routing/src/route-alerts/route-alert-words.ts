import { shortLine } from '@crm/delivery';
import type { RouteProblem } from '../lead-routes/lead-route.api.ts';

interface Facts {
  readonly member: string;
  readonly problem: RouteProblem;
  readonly routes: readonly Route[];
}

interface Route {
  readonly id: number;
  readonly source: string;
  readonly filter: string | null;
}

const losses: Readonly<Record<RouteProblem, string>> = {
  'Team removed': 'The team was removed.',
  'Campaign not available': 'The campaign was removed, or is no longer shared with you.',
  'Lead source not available': 'The lead source is no longer shared with you.',
  'Contact source removed': 'The contact source was removed.',
};

/** The e-mail to the creator of lead routes about a lost reference. */
export function routeAlertWords({ member, problem, routes }: Facts) {
  const [only] = routes;
  const which =
    routes.length === 1 ? 'one of your lead routes is' : `${routes.length} of your lead routes are`;
  const effect =
    problem === 'Lead source not available'
      ? 'No new lead can match a route until you give it another lead source.'
      : 'Until you change a route, all leads that match it go to you.';
  return {
    subject:
      routes.length === 1
        ? `Your lead route ${only?.id} is incomplete`
        : `${routes.length} of your lead routes are incomplete`,
    text: `Hello ${member}, ${which} incomplete. ${losses[problem]}

${routes.map(lineOf).join('\n')}

${effect}
`,
  };
}

function lineOf({ id, source, filter }: Route): string {
  const type = filter === null ? '' : ` and the type ${shortLine(filter, 100)}`;
  return `Lead route ${id}, for leads of the source ${shortLine(source, 100)}${type}`;
}
