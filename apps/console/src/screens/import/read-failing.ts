import { api } from "../../api/client.ts";
import { ApiError } from "../../api/problem.ts";
import { reasonOfRow } from "./row-reason.ts";

/** The most that a page can have. */
const PER_PAGE = 200;
/** A session may send 5 requests a second. */
const LIMITED_MS = 2_000;

/** The reasons of all rows that failed, by the numbers of the rows. `onProgress` gets how many were read. */
export async function readFailing(
  id: string,
  onProgress: (rows: number) => void,
  signal: AbortSignal,
): Promise<Map<number, string>> {
  const reasons = new Map<number, string>();
  let cursor: string | undefined;
  do {
    const page = await readPage(id, cursor, signal);
    for (const { row, errors } of page.data)
      reasons.set(
        row,
        errors.map((one) => [one.column, reasonOfRow(one)].filter(Boolean).join(": ")).join("; "),
      );
    onProgress(reasons.size);
    cursor = page.next_cursor;
  } while (cursor !== undefined);
  return reasons;
}

async function readPage(id: string, cursor: string | undefined, signal: AbortSignal) {
  const query = { status: "rejected" as const, per_page: PER_PAGE, ...(cursor && { cursor }) };
  for (;;) {
    try {
      const { data } = await api.GET("/import/assets/{id}/rows", { params: { path: { id }, query }, signal });
      if (data === undefined) throw new Error("no answer");
      return data;
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      signal.throwIfAborted();
      await new Promise((resolve) => setTimeout(resolve, LIMITED_MS));
    }
  }
}
