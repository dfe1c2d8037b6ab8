import { authorisedFetch } from "./authorised-fetch.ts";
import { networkError } from "./problem.ts";

/**
 * A file of surface B. Links can't send the access token, so it is fetched.
 * @throws ApiError, also for a download that breaks off
 */
export async function fetchFile(path: string, signal?: AbortSignal): Promise<Blob> {
  const response = await authorisedFetch(new Request(`/asset_manager_api${path}`, signal && { signal }));
  return response.blob().catch(() => {
    throw networkError();
  });
}

/** Saves a file of surface B as `name`. Nothing is saved when the download breaks off. */
export async function saveFile(path: string, name: string): Promise<void> {
  saveBlob(await fetchFile(path), name);
}

/** Saves what the page has made, as `name`. */
export function saveBlob(content: Blob, name: string): void {
  const url = URL.createObjectURL(content);
  const link = document.createElement("a");
  link.href = url;
  link.download = name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
