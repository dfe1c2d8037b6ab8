const PAGE = 1000;

/** Judges rows page by page, in order of id. Yields after each page, so that others get their turn. */
export async function* sweepPages<T extends { id: string }>(
  read: (page: { afterId: string; limit: number }) => Promise<T[]>,
  judge: (rows: readonly T[]) => Promise<void>,
  signal: AbortSignal,
): AsyncGenerator<void, void> {
  for (let afterId = ""; !signal.aborted; ) {
    const rows = await read({ afterId, limit: PAGE });
    await judge(rows);
    const end = rows.at(-1);
    if (!end || rows.length < PAGE) return;
    afterId = end.id;
    yield;
  }
}
