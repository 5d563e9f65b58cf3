export interface Twiml {
  readonly say: string;
  /** Where a pressed key is posted, if the call asks for one; empty if the call does not specify a URL. */
  readonly keyPressUrl: string | undefined;
}

/** Reads the small part of TwiML that we use. Undefined for anything else. */
export function readTwiml(xml: string): Twiml | undefined {
  if (!/<Response>.*<\/Response>\s*$/s.test(xml) || strayAmpersand.test(xml)) return undefined;
  const gather = /<Gather\b(?<attributes>[^>]*)>(?<inner>.*?)<\/Gather>/s.exec(xml)?.groups;
  const texts = (gather?.inner ?? xml).matchAll(/<Say\b[^>]*>(.*?)<\/Say>/gs);
  const action = gather && (/\baction="([^"]*)"/.exec(gather.attributes ?? '')?.[1] ?? '');
  return {
    say: [...texts].map(([, text = '']) => unescaped(text)).join(' '),
    keyPressUrl: action === undefined ? undefined : unescaped(action),
  };
}

/** An unescaped ampersand, which makes the XML invalid. */
const strayAmpersand = /&(?!#\d+;|#x[\da-f]+;|(?:amp|lt|gt|quot|apos);)/i;

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return named[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
