// GSM 03.38: the default alphabet and its extension table, which also contains the form feed.
const basic = new Set(
  '@£$¥èéùìòÇ\nØø\rÅåΔ_ΦΓΛΩΠΨΣΘΞÆæßÉ !"#¤%&\'()*+,-./0123456789:;<=>?¡ABCDEFGHIJKLMNOPQRSTUVWXYZÄÖÑÜ§¿abcdefghijklmnopqrstuvwxyzäöñüà',
);
const extended = new Set('\f^{}\\[~]|€');

interface Alphabet {
  /** The capacity of a single message, and of each part of a longer one. */
  readonly single: number;
  readonly part: number;
  readonly widthOf: (character: string) => number;
}

const gsm7: Alphabet = { single: 160, part: 153, widthOf: (one) => (extended.has(one) ? 2 : 1) };
const ucs2: Alphabet = { single: 70, part: 67, widthOf: (one) => one.length };

/** The number of messages that a text is sent as. No character is split between two of them. */
export function smsSegments(text: string): number {
  const characters = [...text];
  const isGsm = characters.every((one) => basic.has(one) || extended.has(one));
  const { single, part, widthOf } = isGsm ? gsm7 : ucs2;
  const widths = characters.map(widthOf);
  if (widths.reduce((sum, width) => sum + width, 0) <= single) return 1;
  let segments = 1;
  let used = 0;
  for (const width of widths) {
    if (used + width > part) {
      segments += 1;
      used = 0;
    }
    used += width;
  }
  return segments;
}
