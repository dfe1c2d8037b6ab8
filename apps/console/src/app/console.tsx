import { MantineProvider } from "@mantine/core";
import { useWindowEvent } from "@mantine/hooks";
import { Notifications } from "@mantine/notifications";
import { QueryClientProvider } from "@tanstack/react-query";
import { RouterProvider } from "@tanstack/react-router";
import { lazy, Suspense, useEffect, useMemo, useSyncExternalStore } from "react";
import { useTranslation } from "react-i18next";
import { session as browserSession, LIMITED } from "../api/authorised-fetch.ts";
import { cache } from "../api/client.ts";
import { gate } from "../api/gate.ts";
import { followFeed } from "../api/live.ts";
import { useSession } from "../api/use-session.ts";
import { notifyLimited } from "../parts/notify.tsx";
import { Loading } from "../parts/states.tsx";
import { loadTexts } from "../text/text.ts";
import { nonce } from "./nonce.ts";
import { isPublicPage } from "./public-pages.ts";
import { router } from "./router.tsx";
import { createConsoleTheme, readableColours } from "./theme.ts";

/** Chunks of their own: most visits need none of them. */
const SignIn = lazy(async () => ({ default: (await import("../screens/sign-in/sign-in.tsx")).SignIn }));
const importSignInAgain = () => import("../screens/sign-in/sign-in-again.tsx");
const SignInAgain = lazy(async () => ({ default: (await importSignInAgain()).SignInAgain }));
const Reauthenticate = lazy(async () => {
  const [module] = await Promise.all([import("../screens/sign-in/reauthenticate.tsx"), loadTexts(["mfa"])]);
  return { default: module.Reauthenticate };
});
const Enrolment = lazy(async () => {
  const [module] = await Promise.all([import("../screens/enrolment/enrolment.tsx"), loadTexts(["mfa"])]);
  return { default: module.Enrolment };
});

/** The whole app: the sign-in page, or the screens of the signed-in user. */
export function Console() {
  const { t } = useTranslation();
  const theme = useMemo(() => createConsoleTheme(t("action.close")), [t]);
  useWindowEvent(LIMITED, notifyLimited);
  return (
    <MantineProvider
      theme={theme}
      cssVariablesResolver={readableColours}
      defaultColorScheme="auto"
      getStyleNonce={() => nonce() ?? ""}
    >
      <Notifications position="top-right" />
      <QueryClientProvider client={cache}>
        <Gate />
      </QueryClientProvider>
    </MantineProvider>
  );
}

/** Public pages work without a session; the others show the sign-in page until there is one. */
function Gate() {
  const { status, session } = useSession();
  const userId = session?.user.id;
  const { reauthentication, enrolment } = useSyncExternalStore(gate.subscribe, gate.get);
  useWindowEvent("keydown", keepDialogs, { capture: true });
  useEffect(() => {
    if (userId === undefined) return;
    // A session may end when the files of this version are gone.
    void importSignInAgain().catch(() => undefined);
    const ended = new AbortController();
    followFeed(ended.signal);
    // Another user must not see what this one has read.
    return () => {
      ended.abort();
      cache.clear();
      gate.open();
    };
  }, [userId]);
  if (status === "unknown") return null;
  if (status === "signed-out" && !isPublicPage(window.location.pathname.slice("/app".length)))
    return (
      <Suspense>
        <SignIn />
      </Suspense>
    );
  return (
    <>
      {enrolment ? (
        <Suspense fallback={<Loading />}>
          <Enrolment />
        </Suspense>
      ) : (
        <RouterProvider key={userId} router={router} />
      )}
      {reauthentication && status === "signed-in" && (
        <Suspense>
          <Reauthenticate />
        </Suspense>
      )}
      {status === "ended" && session && (
        <Suspense>
          <SignInAgain email={session.user.email} />
        </Suspense>
      )}
    </>
  );
}

/** An Escape above a page closes no dialog of the page. These listen later, since they are opened later. */
function keepDialogs(event: KeyboardEvent): void {
  if (event.key !== "Escape") return;
  if (browserSession.get().status === "ended") event.stopImmediatePropagation();
  else if (gate.get().reauthentication) {
    // Only the question above is closed.
    event.stopImmediatePropagation();
    gate.confirm(false);
  }
}
