import { limits } from "@asset-register/proto/limits";
import { Alert, Anchor, Button, Stack, Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { ApiError } from "../../api/problem.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { PublicPage } from "../../parts/public-page.tsx";

/** Asks for a link to choose a new password. The answer does not show whether the address has an account. */
export function Forgot() {
  const { t } = useTranslation();
  const [email, setEmail] = useState("");
  const [sent, setSent] = useState(false);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const send = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await api.POST("/password/forgot", { body: { email: email.trim() } });
      setSent(true);
    } catch (error) {
      const noMail = error instanceof ApiError && error.code === "MAIL_NOT_CONFIGURED";
      setFailure(noMail ? t("password.noMail") : reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <PublicPage title={t(sent ? "password.sentTitle" : "password.forgotTitle")}>
      <form
        method="post"
        onSubmit={(event) => {
          event.preventDefault();
          void send();
        }}
      >
        <Stack gap="sm">
          <Text c="dimmed" size="sm" className="wrap" role={sent ? "status" : undefined}>
            {t(sent ? "password.sentText" : "password.forgotText", { email })}
          </Text>
          {!sent && (
            <TextInput
              label={t("signIn.email")}
              type="email"
              autoComplete="username"
              required
              withAsterisk={false}
              maxLength={limits.email}
              value={email}
              onChange={(event) => setEmail(event.currentTarget.value)}
            />
          )}
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          {!sent && (
            <Button type="submit" size="md" loading={busy} fullWidth>
              {t("password.send")}
            </Button>
          )}
          <Anchor href="/app/" size="sm">
            {t("password.back")}
          </Anchor>
        </Stack>
      </form>
    </PublicPage>
  );
}
