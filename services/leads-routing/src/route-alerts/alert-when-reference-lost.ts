import { queryIn } from '@crm/data';
import type {
  campaignChanged,
  campaignRemoved,
  contactSourceRemoved,
  subAccountRemoved,
  teamRemoved,
} from '@crm/events';
import { type Delivery, userIn } from '@crm/messaging';
import { addRouteAlerts, type Loss } from './route-alert.queries.ts';

/** The user who caused the loss is not alerted: the broker, if a broker acted as the user. */
const alert = ({ em, event }: Delivery, loss: Omit<Loss, 'causedBy' | 'at' | 'requestId'>): Promise<void> => {
  const { act, actor, time: at, requestid: requestId } = event;
  return addRouteAlerts(queryIn(em), { ...loss, causedBy: userIn(act ?? actor), at, requestId });
};

/** A route refers only to teams of its creator. */
export const alertWhenTeamRemoved = (delivery: Delivery<typeof teamRemoved>): Promise<void> => {
  const { team_id: reference, creator_user_id: creator } = delivery.event.data;
  return alert(delivery, { problems: ['Team removed'], creator, reference });
};

/** A route refers only to contact sources of its creator. */
export const alertWhenContactSourceRemoved = (
  delivery: Delivery<typeof contactSourceRemoved>,
): Promise<void> => {
  const { contact_source_id: reference, user_id: creator } = delivery.event.data;
  return alert(delivery, { problems: ['Contact source removed'], creator, reference });
};

export const alertWhenCampaignRemoved = (delivery: Delivery<typeof campaignRemoved>): Promise<void> => {
  const { campaign_id: reference } = delivery.event.data;
  return alert(delivery, { problems: ['Campaign not available'], reference });
};

/** The change may have ended the sharing of the campaign with the sub-accounts of its owner. */
export const alertWhenCampaignChanged = (delivery: Delivery<typeof campaignChanged>): Promise<void> => {
  const { campaign_id: reference, owner_user_id: except } = delivery.event.data;
  return alert(delivery, { problems: ['Campaign not available'], except, reference });
};

/** The former broker no longer shares anything with the user. */
export const alertWhenSubAccountRemoved = (delivery: Delivery<typeof subAccountRemoved>): Promise<void> => {
  const { user_id: creator } = delivery.event.data;
  return alert(delivery, { problems: ['Campaign not available', 'Lead source not available'], creator });
};
