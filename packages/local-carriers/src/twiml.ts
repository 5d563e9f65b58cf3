export interface Twiml {
  readonly say: string;
  /** Where a pressed key is posted, if one is asked for; empty when the call does not name a URL. */
  readonly keyPressUrl: string | undefined;
}

/** Reads what a call says and asks, or undefined when it is not the little of TwiML that is understood here. */
export function readTwiml(xml: string): Twiml | undefined {
  if (!/<Response>.*<\/Response>\s*$/s.test(xml) || strayAmpersand.test(xml)) return undefined;
  const gather = /<Gather\b(?<attributes>[^>]*)>(?<inner>.*?)<\/Gather>/s.exec(xml)?.groups;
  const said = (gather?.inner ?? xml).matchAll(/<Say\b[^>]*>(.*?)<\/Say>/gs);
  const action = gather && (/\baction="([^"]*)"/.exec(gather.attributes ?? '')?.[1] ?? '');
  return {
    say: [...said].map(([, text = '']) => unescaped(text)).join(' '),
    keyPressUrl: action === undefined ? undefined : unescaped(action),
  };
}

/** What no reader of XML would take, and a text that was not escaped is likely to have. */
const strayAmpersand = /&(?!#\d+;|#x[\da-f]+;|(?:amp|lt|gt|quot|apos);)/i;

const named: Record<string, string> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function unescaped(text: string): string {
  return text.replace(/&(?:#(\d{1,7})|#x([\da-f]{1,6})|(\w+));/gi, (whole, decimal, hex, name) => {
    if (name) return named[name] ?? whole;
    const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
    return code <= 0x10ffff ? String.fromCodePoint(code) : whole;
  });
}
