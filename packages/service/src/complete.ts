import { JsonText } from '@crm/data';

/** Adds to some records what other services know of them, in the same order. */
type Completing<Row> = (rows: readonly Row[]) => Promise<readonly object[]>;

/** A page of a list whose records are completed together, so that each peer is asked once. */
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
