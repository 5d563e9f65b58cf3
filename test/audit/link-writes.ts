import { approvingUser, redirectUri, visitorAt } from '../oauth/approving-user.ts';
import { agencyIn } from '../system/agency.ts';
import { made } from '../system/made.ts';
import { until } from '../system/until.ts';
import { about, byVisitor, fromBrowser, type World, type Write } from './write.ts';

/** What is done with a link that only its reader has, or with the secret of an application. */
export async function linkWrites(world: World): Promise<Write[]> {
  return [...(await claimLinkWrites(world)), ...(await oauthWrites(world))];
}

async function claimLinkWrites({ system }: World): Promise<Write[]> {
  const { anna, ben, contact_id, source_id } = await agencyIn(system)();
  const linkTo = async (lead: number) => {
    const { mail } = system.carriers;
    const sent = async () =>
      (await mail.mails()).find(({ to, text }) => to.includes(ben.email) && text?.includes(`Lead: ${lead}\n`))
        ?.text;
    return /\/claim\/[\w-]+/.exec(await until(sent))?.[0] ?? '';
  };
  const write = (verb: string, rest: string): Write => ({
    operation: `leads-routing.claimLinks.${verb}`,
    run: async (requestId) => {
      const lead = await made(anna, '/leads', { contact_id, source_id });
      await anna.api.post(`/leads/${lead.id}/offers`, {});
      const link = await linkTo(lead.id);
      const visitor = visitorAt(system.url);
      const { status } = await visitor.submitFrom(link, link + rest, {}, { 'x-request-id': requestId });
      if (status >= 300) throw new Error(`${verb} responded with ${status}.`);
    },
    row: { ...byVisitor(ben.id), ...about(verb === 'claim' ? 'lead' : 'offer') },
  });
  return [write('claim', ''), write('decline', '/decline')];
}

async function oauthWrites({ system }: World): Promise<Write[]> {
  const [ada, owner] = [await approvingUser(system), await system.person()];
  const draft = { name: 'Planner', owner: owner.id, redirect_uris: [redirectUri] };
  const { client_id, client_secret } = await system.operator.applications.create(draft);
  const query = new URLSearchParams({ response_type: 'code', client_id, redirect_uri: redirectUri });
  let tokens: Readonly<Record<string, string>> = {};
  const post = async (path: string, fields: object, requestId: string) => {
    const response = await fetch(`${system.url}/oauth2/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-request-id': requestId },
      body: JSON.stringify({ client_id, client_secret, ...fields }),
    });
    if (!response.ok) throw new Error(`${path} responded with ${response.status}: ${await response.text()}`);
    return response.text();
  };
  const who = { ...fromBrowser(ada.id), client_id };
  return [
    {
      operation: 'identity.oauth.token',
      run: async (requestId) => {
        const code = (await ada.allow(`${system.url}/oauth2/authorize?${query}`)).searchParams.get('code');
        const grant = { grant_type: 'authorization_code', code, redirect_uri: redirectUri };
        tokens = JSON.parse(await post('token', grant, requestId));
      },
      row: { ...who, ...about('token-family') },
    },
    {
      operation: 'identity.oauth.introspect',
      run: (requestId) => post('introspect', { token: tokens.access_token }, requestId),
      row: { ...who, ...about(null) },
    },
    {
      operation: 'identity.oauth.revoke',
      run: (requestId) => post('revoke', { token: tokens.refresh_token }, requestId),
      row: { ...byVisitor(ada.id), client_id, ...about('token-family') },
    },
  ];
}
