const url = `https://crm.example/${'a%20b/'.repeat(40)}`;

/** Subjects that do not fit into a line of an e-mail. */
export const longSubjects = [
  'A'.repeat(1_000),
  'A'.repeat(68),
  `See ${url}`,
  `Ána, see ${url}, “Elm St.” 🏠 物件のご案内をお送りします`,
  `${'word '.repeat(150)}${url}`,
  `${'x'.repeat(59)} =?utf-8?Q?no?= ${'_'.repeat(80)}`,
  '物件のご案内をお送りします。'.repeat(40),
];
