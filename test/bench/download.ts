import { request } from "undici";

const LINE_FEED = 10;

/** Reads a CSV file until it ends, or until `until` returns true. Returns the number of rows, without the header. */
export async function readRows(
  url: string,
  headers: Record<string, string>,
  until: (rows: number) => boolean,
): Promise<number> {
  const { statusCode, body } = await request(url, { headers, bodyTimeout: 0 });
  if (statusCode !== 200) throw new Error(`${url} returned ${statusCode}: ${await body.text()}`);
  let rows = -1;
  for await (const chunk of body as AsyncIterable<Uint8Array>) {
    for (let at = chunk.indexOf(LINE_FEED); at >= 0; at = chunk.indexOf(LINE_FEED, at + 1)) rows += 1;
    if (until(rows)) break;
  }
  return rows;
}
