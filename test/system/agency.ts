import type { System } from '../system.ts';
import { join, made } from './made.ts';

/** Sets up an agency whose leads go to Ben, who is alerted by e-mail. */
export const agencyIn = (system: Pick<System, 'person' | 'operator'>) => async () => {
  const [anna, ben] = [await system.person(), await system.person()];
  const team = await made(anna, '/teams', { name: 'North', order_method: 'Time' });
  const [member] = await join(system, team.id, ben);
  await made(anna, '/team-member-distribution-options', {
    team_id: team.id,
    user_id: ben.id,
    assign_automatically: false,
    mins_until_lead_offer: 0,
    has_email_alert: true,
  });
  const source = await made(anna, '/contact-sources', { name: 'Open house' });
  const [leadSource] = (await anna.api.list('/lead-sources?name=Open%20house')).data;
  const campaign = await made(anna, '/campaigns', { name: 'Welcome' });
  const contact = await made(anna, '/contacts', {
    first_name: 'Carla',
    mobile_phone: '+16045550199',
    source_id: source.id,
  });
  await made(anna, '/lead-routes', {
    campaign_id: campaign.id,
    lead_source_id: leadSource?.id,
    contact_source_id: source.id,
    distribution_target: 'Team Rollout',
    team_selection_method: 'Specific Team',
    team_id: team.id,
  });
  const remove = {
    'the team': () => anna.api.delete(`/teams/${team.id}`),
    'the only member': () => ben.api.patch(`/team-members/${member}`, { request_status: 'Declined' }),
    'the campaign': () => anna.api.delete(`/campaigns/${campaign.id}`),
    'the contact source': () => anna.api.delete(`/contact-sources/${source.id}`),
  } as const;
  return { anna, ben, contact_id: contact.id, source_id: leadSource?.id, remove };
};
