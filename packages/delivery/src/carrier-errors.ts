/** Why nothing more is sent to a number or an address: its owner opted out, or nothing arrives there. */
export type DeliveryBlock = 'opted out' | 'unreachable';

interface CarrierError {
  readonly reason: string;
  /** Set if the error says more about the number than that this message did not arrive. */
  readonly block?: DeliveryBlock;
}

/** What Twilio's error codes of messages mean to whoever sent one. */
const errors: Readonly<Record<string, CarrierError>> = {
  21211: { reason: 'This is not a phone number.', block: 'unreachable' },
  21408: { reason: 'The carrier does not send texts to this country.' },
  21610: { reason: 'The number has opted out of texts.', block: 'opted out' },
  21614: { reason: 'The number cannot receive texts.', block: 'unreachable' },
  21635: { reason: 'The number is a landline.', block: 'unreachable' },
  30003: { reason: 'The phone with this number could not be reached.' },
  30004: { reason: 'The text was blocked, by the phone or by its network.' },
  30005: { reason: 'Nobody has this number.', block: 'unreachable' },
  30006: { reason: 'The number is a landline or cannot receive texts.', block: 'unreachable' },
  30007: { reason: 'The network treated the text as spam.' },
  30008: { reason: 'The network did not deliver the text, and did not say why.' },
  30034: { reason: 'The sending number is not registered for such texts.' },
  30036: { reason: 'The text waited too long at the carrier and was not sent.' },
};

/** The meaning of an error code. An unlisted code is returned as it is. */
export const carrierError = (code: string): CarrierError =>
  errors[code] ?? { reason: `The carrier did not deliver it (error ${code}).` };
