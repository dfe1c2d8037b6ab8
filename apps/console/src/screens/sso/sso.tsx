import { Alert, Anchor, Loader, Stack, Text } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { session } from "../../api/authorised-fetch.ts";
import { ApiError } from "../../api/problem.ts";
import { returnAddress } from "../../api/sso.ts";
import { useSession } from "../../api/use-session.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { PublicPage } from "../../parts/public-page.tsx";
import { useAddressToken } from "../../parts/use-address-token.ts";
import { isSsoError } from "./sso-error.ts";

/** The browser comes back from the provider to this page, with a code or an error in the fragment of the address. */
export function Sso() {
  const { t } = useTranslation();
  const answer = new URLSearchParams(useAddressToken());
  const [code, error] = [answer.get("code"), answer.get("error") ?? ""];
  const [refused, setRefused] = useState<unknown>();
  const used = useRef(false);
  const { status } = useSession();
  // A new session shows this page again, now without the code.
  const isDone = code === null && error === "" && status === "signed-in";

  useEffect(() => {
    if (isDone) window.location.replace(returnAddress());
  }, [isDone]);

  useEffect(() => {
    // It works once.
    if (code === null || used.current) return;
    used.current = true;
    session.exchange(code).then(() => window.location.replace(returnAddress()), setRefused);
  }, [code]);

  if (isDone || (code !== null && refused === undefined))
    return (
      <PublicPage title={t("sso.title")}>
        <Loader role="status" aria-label={t("state.loading")} />
      </PublicPage>
    );
  const isOver = code === null || (refused instanceof ApiError && refused.status === 401);
  const known = isSsoError(error) ? error : "SSO_EXPIRED";
  return (
    <PublicPage title={t("sso.failed")}>
      <Stack gap="sm">
        <Alert color="red" role="alert">
          {isOver ? t(`sso.${known}`) : reasonOf(refused)}
        </Alert>
        <Text size="sm" c="dimmed">
          {t("sso.next")}
        </Text>
        <Anchor href="/app/">{t("sso.again")}</Anchor>
      </Stack>
    </PublicPage>
  );
}
