import { limits } from "@asset-register/proto/limits";
import { Alert, Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { ApiError } from "../../api/problem.ts";
import { NewPassword } from "../../parts/new-password.tsx";
import { reasonOf } from "../../parts/notify.tsx";

type Values = { name: string; password: string; again: string };

type Props = { token: string; onAccepted: (email: string) => void };

/** Sets the password of an invited person. Without a name, that of the invitation is kept. */
export function AcceptForm({ token, onAccepted }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useForm<Values>({
    initialValues: { name: "", password: "", again: "" },
    validate: { again: (value, values) => (value === values.password ? null : t("password.notEqual")) },
  });
  const accept = async ({ name, password }: Values): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { token, password, ...(name.trim() && { name: name.trim() }) };
      const { data } = await api.POST("/invitations/accept", { body });
      if (data !== undefined) onAccepted(data.email);
    } catch (error) {
      if (error instanceof ApiError) form.setErrors(error.fields);
      setFailure(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={form.onSubmit((values) => void accept(values))} method="post">
      <Stack gap="sm">
        <Text c="dimmed" size="sm">
          {t("invitation.text")}
        </Text>
        <TextInput
          label={t("invitation.name")}
          description={t("invitation.nameHint")}
          autoComplete="name"
          maxLength={limits.accountName}
          {...form.getInputProps("name")}
        />
        <NewPassword
          label={t("signIn.password")}
          input={form.getInputProps("password")}
          repeated={form.getInputProps("again")}
        />
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {t("invitation.accept")}
        </Button>
      </Stack>
    </form>
  );
}
