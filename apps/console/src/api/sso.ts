import { asApiError, networkError } from "./problem.ts";

/** Where the person was. It is of this tab only, and no secret. */
const RETURN = "asset-register.return";

/**
 * Leads to the provider of the company. With `fresh`, it asks for the credentials again, so that the sign-in is recent.
 * @throws ApiError with status 404 if the domain has no single sign-on
 */
export async function startSso(email: string, { fresh = false } = {}): Promise<void> {
  const query = new URLSearchParams({ email, redirect: "false", ...(fresh && { fresh: "true" }) });
  // A script can't read where a redirect leads to. An error is shown on the page in words.
  const answer = await fetch(`/asset_manager_api/sso/start?${query}`).catch(() => {
    throw networkError();
  });
  const body = await answer.json().catch(() => undefined);
  if (!answer.ok) throw asApiError(answer.status, body);
  const { pathname, search } = window.location;
  if (!pathname.startsWith("/app/sso")) sessionStorage.setItem(RETURN, pathname + search);
  window.location.assign(body.location);
}

/** The address to go on at. Always one of the console. */
export function returnAddress(): string {
  const address = sessionStorage.getItem(RETURN) ?? "/app/";
  return address.startsWith("/app/") ? address : "/app/";
}
