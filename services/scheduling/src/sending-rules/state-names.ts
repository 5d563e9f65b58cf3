import { allStates, type State } from './states.ts';

/**
 * Spellings of people and programs besides the codes and names: the abbreviations of the GPO Style Manual (N. Mex.), the
 * Associated Press Stylebook (Fla.) and the Anglo-American Cataloguing Rules, appendix B.14 (Alta.), and the French names of
 * provinces in the Canadian Style.
 */
const spellings = `
AL Ala | AZ Ariz | AR Ark | CA Calif, Cal | CO Colo, Col | CT Conn | DE Del | DC Washington DC, District Columbia | FL Fla, Flor
GA Geo | ID Ida | IL Ill, Ills | IN Ind | KS Kan, Kans | KY Ken | MA Mass | MI Mich | MN Minn | MS Miss | MT Mont | NE Neb, Nebr
NV Nev | NM N Mex, New Mex, N Mexico | NC N Car, N Carolina, No Carolina | ND N Dak, No Dak, N Dakota, No Dakota | OK Okla | OR Ore, Oreg | PA Penn, Penna | SC S Car, S Carolina, So Carolina | SD S Dak, So Dak, S Dakota, So Dakota
TN Tenn | TX Tex | VA Virg | WA Wash, Washington State | WV W Va, W Virginia | WI Wis, Wisc | WY Wyo | NY New York State, NY State
AB Alta, Alb | BC Colombie-Britannique | MB Man | NB Nouveau-Brunswick | NL Newfoundland, Labrador, Nfld, Newf, NF, Terre-Neuve-et-Labrador
NS Nouvelle-Ecosse | ON Ont | PE PEI, Ile-du-Prince-Edouard | QC Que, PQ | SK Sask | NT NWT, Territoires du Nord-Ouest
NU Nun | YT Yukon Territory, Yuk | VI USVI`;

/** Only the letters of a text, so that Québec, N. Y. and new-york each have a single spelling. */
const lettersIn = (text: string): string =>
  text
    .normalize('NFD')
    .toLowerCase()
    .replace(/[^a-z]/g, '');

const byName = new Map<string, State>();
const byCode = new Map<string, State>();
for (const state of allStates) {
  byCode.set(state.code, state);
  for (const name of [state.code, state.name]) byName.set(lettersIn(name), state);
}
for (const line of spellings.trim().split(/\n| \| /)) {
  const state = byCode.get(line.slice(0, 2));
  for (const name of line.slice(3).split(', ')) if (state) byName.set(lettersIn(name), state);
}

const title = /^(state|commonwealth|province|territory)of/;
const country = /(usa?|unitedstates(ofamerica)?|canada)$/;
/** ISO 3166-2, such as CA-ON, which would otherwise be California and Ontario. */
const isoCode = /^(US|CA)-([A-Z]{2})$/i;

/** A state in any spelling, possibly next to a zip or a country: N.Y. 10001, State of Texas, BC Canada. */
function oneNamed(text: string): State | undefined {
  const letters = lettersIn(text).replace(title, '');
  return (
    byName.get(letters) ?? byName.get(letters.replace(country, '')) ?? byName.get(letters.replace(/^us/, ''))
  );
}

/** A code after a city, possibly before a zip. In lower case it could be a word, such as the last one of Rio de la. */
const codeBehind = /\s([A-Z]{2})\.?(?:\s+\d{5}(?:-\d{4})?)?$/;

/** The states in a text: usually one, or that of each of several parts, such as a city and its state. */
export function statesNamed(text: string): readonly State[] {
  const iso = isoCode.exec(text.trim())?.[2];
  const whole = iso === undefined ? oneNamed(text) : byCode.get(iso.toUpperCase());
  if (whole) return [whole];
  const partNamed = (part: string) => oneNamed(part) ?? byCode.get(codeBehind.exec(part.trim())?.[1] ?? '');
  return [...new Set(text.split(/[,;/()|]/).flatMap((part) => partNamed(part) ?? []))];
}
