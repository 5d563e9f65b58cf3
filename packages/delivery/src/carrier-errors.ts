/** Why nothing more is sent to a number or an address: its owner has said so, or nothing arrives there. */
export type DeliveryBlock = 'opted out' | 'unreachable';

interface CarrierError {
  readonly reason: string;
  /** What it says about the number, if it says more than that this message did not arrive. */
  readonly block?: DeliveryBlock;
}

/** What the error codes of Twilio's messages mean to whoever has sent one. */
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

/** The meaning of an error code; of one that is not listed, the code itself. */
export const carrierError = (code: string): CarrierError =>
  errors[code] ?? { reason: `The carrier did not deliver it (error ${code}).` };
