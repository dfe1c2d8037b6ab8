import type { OpenedFile, Reply, Request } from "./csv-messages.ts";
import type { MappedColumn } from "./csv-table.ts";
import type { Encoding } from "./csv-text.ts";

/** A file of the person, which a worker holds. */
export type CsvFile = ReturnType<typeof createCsvFile>;

/** Opens files in a worker of their own, so that a long file does not stop the page. */
export function createCsvFile() {
  const worker = new Worker(new URL("./csv-worker.ts", import.meta.url), { type: "module" });
  const waiting = new Map<number, PromiseWithResolvers<unknown>>();
  let last = 0;
  worker.addEventListener("message", ({ data }: MessageEvent<Reply>) => {
    const one = waiting.get(data.id);
    waiting.delete(data.id);
    if ("error" in data) one?.reject(new Error(data.error));
    else one?.resolve(data.value);
  });
  worker.addEventListener("error", ({ message }) => {
    for (const one of waiting.values()) one.reject(new Error(message));
    waiting.clear();
  });
  function ask<T>(request: Request): Promise<T> {
    last += 1;
    const answer = Promise.withResolvers<unknown>();
    waiting.set(last, answer);
    worker.postMessage({ id: last, request });
    return answer.promise as Promise<T>;
  }
  return {
    open: (file: File, encoding?: Encoding, delimiter?: string): Promise<OpenedFile> =>
      ask({ do: "open", file, encoding, delimiter }),
    /** The file for the API. */
    write: (columns: readonly MappedColumn[]): Promise<Blob> => ask({ do: "write", columns }),
    /** The rows that fail, by their numbers, with their reasons. */
    failing: (reasons: ReadonlyMap<number, string>, reasonName: string): Promise<Blob> =>
      ask({ do: "failing", reasons, reasonName }),
    close: (): void => worker.terminate(),
  };
}
