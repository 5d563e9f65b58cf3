/** A small agency in Portland, Oregon. The telephone numbers and the domains are reserved for examples. */
export const agency = {
  timezone: 'America/Los_Angeles',
  people: [
    { first_name: 'Margaret', last_name: 'Holloway', role: 'broker', phone: '+1 503-555-0191' },
    { first_name: 'Daniel', last_name: 'Reyes', role: 'agent', phone: '+1 503-555-0192' },
    { first_name: 'Priya', last_name: 'Raman', role: 'agent', phone: '+1 503-555-0193' },
    { first_name: 'Tom', last_name: 'Lindqvist', role: 'agent', phone: '+1 503-555-0194' },
    { first_name: 'Alicia', last_name: 'Freeman', role: 'agent', phone: '+1 503-555-0195' },
  ],
  hotnesses: [
    { name: 'Hot', rank: 1, color: '#d9480f' },
    { name: 'Warm', rank: 2, color: '#f59f00' },
    { name: 'Nurture', rank: 3, color: '#2f9e44' },
    { name: 'Cold', rank: 4, color: '#1c7ed6' },
  ],
} as const;

const firstNames =
  'Emma Liam Olivia Noah Sofia Mateo Grace Henry Chloe Samuel Hannah Victor Nora Elijah Maya Oscar Ruth Andre Leah Felix'.split(
    ' ',
  );
const lastNames =
  'Bennett Castillo Nguyen Okafor Schmidt Petrov Hughes Yamamoto Delgado Novak Abbott Kaplan Morrison Singh Fischer Romero Walsh Larsen Baker Ibrahim Tran'.split(
    ' ',
  );
const streets = ['SE Hawthorne Blvd', 'NW Lovejoy St', 'N Mississippi Ave', 'NE Alberta St', 'SW Vermont St'];
const towns = [
  { city: 'Portland', state: 'Oregon', zip: '97214' },
  { city: 'Beaverton', state: 'Oregon', zip: '97005' },
  { city: 'Lake Oswego', state: 'Oregon', zip: '97034' },
  { city: 'Vancouver', state: 'Washington', zip: '98660' },
  { city: 'Gresham', state: 'Oregon', zip: '97030' },
];
const tags = [
  'buyer',
  'seller',
  'buyer,first home',
  'investor',
  'past client',
  'buyer,relocation',
  'seller,downsizing',
];
const companies = ['Cascade Dental', 'Bridgetown Bikes', null, null, 'Willamette Press', null];

export const contactsEach = 10;

/** The `index`th contact of the `owner`th user, the same at every call, so that a resumed seeding finds it. */
export function demoContact(owner: number, index: number) {
  const number = owner * contactsEach + index;
  const first_name = pick(firstNames, number * 7);
  const last_name = pick(lastNames, number * 5 + owner);
  const phone = `+1 503-555-0${String(100 + number).slice(-3)}`;
  return {
    first_name,
    last_name,
    email: `${first_name}.${last_name}.${number}@example.com`.toLowerCase(),
    mobile_phone: phone,
    company: pick(companies, number),
    birthday: `19${60 + (number % 39)}-${twoDigits(1 + (number % 12))}-${twoDigits(1 + ((number * 3) % 28))}`,
    tags: pick(tags, number),
    addresses: [
      {
        type: 'Home',
        street_address_1: `${120 + number * 37} ${pick(streets, number)}`,
        ...pick(towns, number),
      },
    ],
  };
}

function pick<Value>(values: readonly Value[], index: number): Value {
  return values[index % values.length] as Value;
}

const twoDigits = (value: number): string => String(value).padStart(2, '0');
