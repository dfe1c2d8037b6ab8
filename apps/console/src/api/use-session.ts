import { useSyncExternalStore } from "react";
import { session } from "./authorised-fetch.ts";
import type { SignedIn } from "./session.ts";

/** The state of the session, and what the user may do. */
export function useSession(): {
  status: "unknown" | "signed-out" | "signed-in" | "ended";
  session: SignedIn | undefined;
  may(capability: string): boolean;
} {
  const state = useSyncExternalStore(session.subscribe, session.get);
  const signedIn = "session" in state ? state.session : undefined;
  return {
    status: state.status,
    session: signedIn,
    may: (capability) =>
      signedIn !== undefined &&
      (signedIn.capabilities.includes(capability) || signedIn.capabilities.includes("admin")),
  };
}
