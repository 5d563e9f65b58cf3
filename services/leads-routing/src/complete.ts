import { JsonText } from '@crm/data';

export { completePage, completeText } from '@crm/service';

export async function completeRecord<Row>(
  row: Row,
  completing: (rows: readonly Row[]) => Promise<readonly object[]>,
): Promise<JsonText> {
  const [record] = await completing([row]);
  return new JsonText(JSON.stringify(record));
}
