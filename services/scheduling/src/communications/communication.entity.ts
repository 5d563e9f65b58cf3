import { defineEntity, p } from '@mikro-orm/core';
import { type dispatchStates, markedAsDone } from './communication.api.ts';
import type { CommunicationType } from './communication-type.api.ts';

const CommunicationSchema = defineEntity({
  name: 'Communication',
  tableName: 'communications',
  properties: {
    id: p.integer().primary(),
    version: p.integer().version(),
    campaign_contact_id: p.integer(),
    campaign_id: p.integer(),
    campaign_action_id: p.integer(),
    contact_id: p.integer(),
    campaign_name: p.string(),
    type: p.string().$type<CommunicationType>(),
    is_stopped_on_text_reply: p.boolean(),
    template_id: p.integer().nullable(),
    template_subject: p.string().nullable(),
    template_name: p.string().nullable(),
    template_folder_name: p.string().nullable(),
    /** The digest of the text, which all communications with the same text share. */
    body_digest: p.string().nullable(),
    send_from_user_id: p.integer(),
    send_at: p.datetime(),
    /** The zone of its time of day. */
    timezone: p.string(),
    is_active: p.boolean(),
    completed_at: p.datetime().nullable(),
    completing_user_id: p.integer().nullable(),
    created_at: p.datetime(),
    modified_at: p.datetime(),
    dispatch_state: p.string().$type<(typeof dispatchStates)[number]>(),
    dispatch_reason: p.string().nullable(),
    next_attempt_at: p.datetime(),
    lease_until: p.datetime().nullable(),
    begun_at: p.datetime().nullable(),
    doubtful_since: p.datetime().nullable(),
    reopened_at: p.datetime().nullable(),
    /** The origin of the communication. */
    cause: p.json().$type<object>().nullable(),
  },
});

/**
 * A message that a campaign sends to a contact once. It belongs to the contact: it is reached only through a contact that the
 * actor sees, and therefore has no visibility rule of its own.
 */
export class Communication extends CommunicationSchema.class {
  /** Whether a provider may already have received it, without a known outcome. */
  isBeingSent(): boolean {
    return this.dispatch_state === 'Sending' && this.begun_at != null;
  }

  /**
   * A user marks it as done. If it was not sent yet, it will not be. If it may have been sent, this is still determined; the
   * final check stops one that waits for another attempt.
   */
  complete(userId: number, now: Date) {
    this.is_active = false;
    this.completed_at = now;
    this.completing_user_id = userId;
    if (['Sent', 'Unknown', 'Dropped'].includes(this.dispatch_state) || this.doubtful_since != null) return;
    this.dispatch_state = 'Dropped';
    this.dispatch_reason = markedAsDone;
    this.lease_until = null;
  }

  /**
   * A user marks it as not done. If its time is in the future, it will be sent, but never a second time, never at another hour
   * than intended, and not if its campaign was stopped.
   */
  reopen(now: Date, isStopped: boolean) {
    this.is_active = true;
    this.completed_at = null;
    this.completing_user_id = null;
    if (this.dispatch_state !== 'Dropped' && this.dispatch_state !== 'Failed') return;
    if (!isStopped && this.send_at > now) {
      this.dispatch_state = 'Scheduled';
      this.dispatch_reason = null;
      this.next_attempt_at = this.send_at;
      this.reopened_at = now;
    } else if (this.dispatch_state === 'Dropped') {
      this.dispatch_reason = isStopped ? 'The campaign was stopped.' : 'Its time has passed.';
    }
  }
}
CommunicationSchema.setClass(Communication);
