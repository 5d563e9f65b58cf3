import { isPaused } from '../sending-pauses/sending-pause.queries.ts';

/** A message that is later than this is not sent at the wrong hour, but moved to another day. */
export const maxDelay = "interval '1 hour'";

/** SQL condition: a communication `t` is sent when it is due. */
export const isToBeSent = `t.send_at > now() - ${maxDelay} and not ${isPaused}`;
