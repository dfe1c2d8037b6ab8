import { asApiError, networkError } from "./problem.ts";

/** Where the person was. It is of this tab only, and no secret. */
const RETURN = "asset-register.return";

/**
 * Leads to the provider of the company. With `fresh`, it asks for the credentials again, so that the sign-in is recent.
 * @throws ApiError with status 404 if the domain has no single sign-on
 */
export async function startSso(email: string, { fresh = false } = {}): Promise<void> {
  const query = new URLSearchParams({ email, ...(fresh && { fresh: "true" }) });
  const address = `/asset_manager_api/sso/start?${query}`;
  // The redirect itself can't be read. Anything else is an error, which the page shows in words.
  const answer = await fetch(address, { redirect: "manual" }).catch(() => {
    throw networkError();
  });
  if (answer.type !== "opaqueredirect")
    throw asApiError(answer.status, await answer.json().catch(() => undefined));
  const { pathname, search } = window.location;
  if (!pathname.startsWith("/app/sso")) sessionStorage.setItem(RETURN, pathname + search);
  window.location.assign(address);
}

/** The address to go on at. Always one of the console. */
export function returnAddress(): string {
  const address = sessionStorage.getItem(RETURN) ?? "/app/";
  return address.startsWith("/app/") ? address : "/app/";
}
