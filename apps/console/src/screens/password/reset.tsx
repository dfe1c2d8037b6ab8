import { Alert, Anchor, Button, Stack, Text } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { NewPassword } from "../../parts/new-password.tsx";
import { reasonOf } from "../../parts/notify.tsx";
import { PublicPage } from "../../parts/public-page.tsx";
import { showAtFields } from "../../parts/show-at-fields.ts";
import { SignInLink } from "../../parts/sign-in-link.tsx";
import { useAddressToken } from "../../parts/use-address-token.ts";
import { isBadToken } from "./is-bad-token.ts";

/** Here the owner of an account chooses a new password, with the token of a mail or of an admin. */
export function Reset() {
  const { t } = useTranslation();
  const token = useAddressToken();
  const [done, setDone] = useState(false);
  if (done)
    return (
      <PublicPage title={t("password.resetDone")}>
        <Text mb="sm">{t("password.resetDoneText")}</Text>
        <SignInLink />
      </PublicPage>
    );
  return (
    <PublicPage title={t("password.resetTitle")}>
      {token === "" ? (
        <Text mb="sm">{t("password.noToken")}</Text>
      ) : (
        <ResetForm token={token} onDone={() => setDone(true)} />
      )}
      <Anchor href="/app/forgot" size="sm" mt="sm" display="block">
        {t("password.anotherLink")}
      </Anchor>
    </PublicPage>
  );
}

type Values = { new_password: string; again: string };

function ResetForm({ token, onDone }: { token: string; onDone: () => void }) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useForm<Values>({
    initialValues: { new_password: "", again: "" },
    validate: { again: (value, values) => (value === values.new_password ? null : t("password.notEqual")) },
  });
  const reset = async ({ new_password }: Values): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await showAtFields(form, () => api.POST("/password/reset", { body: { token, new_password } }));
      onDone();
    } catch (error) {
      setFailure(isBadToken(error) ? t("password.badToken") : reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={form.onSubmit((values) => void reset(values))} method="post">
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {t("password.resetText")}
        </Text>
        <NewPassword input={form.getInputProps("new_password")} repeated={form.getInputProps("again")} />
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {t("password.resetSubmit")}
        </Button>
      </Stack>
    </form>
  );
}
