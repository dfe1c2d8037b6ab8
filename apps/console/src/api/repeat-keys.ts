/** Longer than a person waits before the next try; the server keeps a key for at least a day. */
const KEPT_MS = 10 * 60_000;

/**
 * Gives each change a key, by which the server does it once. While it is not known whether a change was done, because its
 * answer was lost, the same change gets the same key: somebody who presses the button again does not do it twice.
 */
export function createRepeatKeys(newKey: () => string, now: () => number = Date.now) {
  const open = new Map<string, { key: string; until: number }>();
  return {
    /** @param change what is sent, and to where */
    keyOf(change: string): string {
      for (const [old, { until }] of open) if (until < now()) open.delete(old);
      const { key } = open.get(change) ?? { key: newKey() };
      open.set(change, { key, until: now() + KEPT_MS });
      return key;
    },
    /** It is known whether the change was done: the same again is another one. */
    settled(key: string): void {
      for (const [change, kept] of open) if (kept.key === key) open.delete(change);
    },
  };
}

/** Address and content of a request. Files are compared by their content. */
export async function changeOf(request: Request): Promise<string> {
  const copy = request.clone();
  const isForm = copy.headers.get("content-type")?.startsWith("multipart/form-data") ?? false;
  // The boundary of a form differs each time.
  const body = isForm ? await textOf(await copy.formData()) : await copy.text();
  return `${request.url} ${body}`;
}

async function textOf(form: FormData): Promise<string> {
  const fields = [...form].map(async ([name, value]) => [
    name,
    typeof value === "string" ? value : await digestOf(value),
  ]);
  return JSON.stringify(await Promise.all(fields));
}

async function digestOf(file: Blob): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", await file.arrayBuffer());
  return [...new Uint8Array(digest)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
