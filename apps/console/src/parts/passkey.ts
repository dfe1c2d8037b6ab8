/** The library is loaded when a passkey is used. */
const library = () => import("@simplewebauthn/browser");

type Creation = Parameters<Awaited<ReturnType<typeof library>>["startRegistration"]>[0]["optionsJSON"];
type Request = Parameters<Awaited<ReturnType<typeof library>>["startAuthentication"]>[0]["optionsJSON"];

/** The person has closed the browser's question, or has no passkey for this platform. */
export class PasskeyCancelled extends Error {}

export const supportsPasskeys = (): boolean => "PublicKeyCredential" in window;

/** Options as the server has made them. @throws PasskeyCancelled */
export async function createPasskey(options: object) {
  const { startRegistration } = await library();
  const made = await startRegistration({ optionsJSON: options as Creation }).catch(cancelled);
  return { ...made, response: { ...made.response } };
}

/** Options as the server has made them. @throws PasskeyCancelled */
export async function assertPasskey(options: object) {
  const { startAuthentication } = await library();
  const made = await startAuthentication({ optionsJSON: options as Request }).catch(cancelled);
  return { ...made, response: { ...made.response } };
}

function cancelled(cause: unknown): never {
  throw new PasskeyCancelled(String(cause), { cause });
}
