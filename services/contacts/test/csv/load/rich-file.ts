const header = 'First Name,Last Name,Email,Phone,Tags,Source,Street,City,Zip,custom:Pet,custom(Number):Lot';

/** As rich as the contacts of an office: an address, two tags, a source and two custom fields. */
function rowOf(index: number): string {
  const phone = `+1604${String(2_000_000 + index)}`;
  return `Anna ${index},Ng ${index % 997},anna${index}@example.com,${phone},"Buyer, Tag ${index % 50}",Fair ${index % 9},Main St ${index},Burnaby,V5H 0A1,Cat,${index}`;
}

/** A file with so many rows, in pieces, which may be too many for memory. */
export function* richFile(rows: number): Generator<string> {
  yield header;
  for (let from = 0; from < rows; from += 1_000)
    yield Array.from({ length: Math.min(1_000, rows - from) }, (_, index) => `\n${rowOf(from + index)}`).join(
      '',
    );
}
