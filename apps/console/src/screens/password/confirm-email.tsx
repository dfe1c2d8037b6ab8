import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { PublicPage } from "../../parts/public-page.tsx";
import { useAddressToken } from "../../parts/use-address-token.ts";
import { isBadToken } from "./is-bad-token.ts";

/** Here a new e-mail address is confirmed. By a button: programs that check mails open its links. */
export function ConfirmEmail() {
  const { t } = useTranslation();
  const token = useAddressToken();
  const [done, setDone] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const confirm = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await api.POST("/me/email/confirm", { body: { token } });
      setDone(true);
    } catch (error) {
      setFailure(isBadToken(error) ? t("password.badToken") : reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  const text = done ? "password.emailDoneText" : token === "" ? "password.noToken" : "password.emailText";
  return (
    <PublicPage title={t(done ? "password.emailDone" : "password.emailTitle")}>
      <Stack gap="sm">
        <Text size="sm">{t(text)}</Text>
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        {!done && token !== "" && (
          <Button size="md" loading={busy} fullWidth onClick={() => void confirm()}>
            {t("password.emailSubmit")}
          </Button>
        )}
        <Anchor href="/app/" size="sm">
          {t("password.open")}
        </Anchor>
      </Stack>
    </PublicPage>
  );
}
