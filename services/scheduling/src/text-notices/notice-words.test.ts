import { expect, it } from 'vitest';
import { helpWords } from './notice-words.ts';

const anna = { first_name: 'Anna', last_name: 'Lopez', phone: '+16045550199', email: 'anna@example.com' };
const office = { name: 'Harbour Homes', address: 'office@harbour.example' };
const how = 'Reply STOP to end them or START to get them again.';

it.each([
  [anna, office, 'from Anna Lopez', anna.phone],
  [{ ...anna, phone: null }, office, 'from Anna Lopez', anna.email],
  [{ ...anna, first_name: null, last_name: ' ' }, office, 'from Harbour Homes', anna.phone],
  [undefined, office, 'from Harbour Homes', office.address],
  [undefined, { address: office.address }, 'about real estate', office.address],
])('the reply to HELP says who sends the texts and whom to ask', (user, mailFrom, whose, whom) => {
  expect(helpWords(user, mailFrom)).toBe(`These texts are ${whose}. ${how} Questions: ${whom}`);
});
