import { Anchor, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { PublicPage } from "../../parts/public-page.tsx";
import { SignInLink } from "../../parts/sign-in-link.tsx";
import { useAddressToken } from "../../parts/use-address-token.ts";
import { AcceptForm } from "./accept-form.tsx";

/** Here an invited person, who has no session yet, becomes a user. The token is in the fragment of the address. */
export function Invitation() {
  const { t } = useTranslation();
  const token = useAddressToken();
  const [accepted, setAccepted] = useState<string>();
  return (
    <PublicPage title={t(accepted === undefined ? "invitation.title" : "invitation.done")}>
      {accepted !== undefined && (
        <Stack gap="sm">
          <Text className="wrap">{t("invitation.doneText", { email: accepted })}</Text>
          <SignInLink />
        </Stack>
      )}
      {accepted === undefined && token === "" && (
        <>
          <Text mb="sm">{t("invitation.noToken")}</Text>
          <Anchor href="/app/">{t("signIn.submit")}</Anchor>
        </>
      )}
      {accepted === undefined && token !== "" && <AcceptForm token={token} onAccepted={setAccepted} />}
    </PublicPage>
  );
}
