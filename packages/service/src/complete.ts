import { JsonText } from '@crm/data';

/** Adds fields of other services to records, in the same order. */
type Completing<Row> = (rows: readonly Row[]) => Promise<readonly object[]>;

/** Completes all records of a page together, so that each peer is called once. */
export async function completePage<Row>(page: Promise<JsonText>, completing: Completing<Row>) {
  const { data, ...envelope } = JSON.parse((await page).text) as { readonly data: readonly Row[] };
  return new JsonText(JSON.stringify({ ...envelope, data: await completing(data) }));
}

export async function completeText<Row>(text: Promise<JsonText>, completing: Completing<Row>) {
  return completeRecord(JSON.parse((await text).text) as Row, completing);
}

export async function completeRecord<Row>(row: Row, completing: Completing<Row>): Promise<JsonText> {
  const [record] = await completing([row]);
  return new JsonText(JSON.stringify(record));
}
