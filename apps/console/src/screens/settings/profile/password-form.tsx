import { limits } from "@asset-register/proto/limits";
import { Alert, Button, Group, PasswordInput, Stack } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useMemo, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { useSession } from "../../../api/use-session.ts";
import { NewPassword } from "../../../parts/new-password.tsx";
import { notifyDone, reasonOf } from "../../../parts/notify.tsx";

type Values = { current_password: string; new_password: string; again: string };

/** Changes the password. The user's other sessions end. */
export function PasswordForm() {
  const { t } = useTranslation();
  const { session } = useSession();
  const { email = "", name = "" } = session?.user ?? {};
  const personal = useMemo(() => [email, name], [email, name]);
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useForm<Values>({
    initialValues: { current_password: "", new_password: "", again: "" },
    validate: { again: (value, values) => (value === values.new_password ? null : t("password.notEqual")) },
  });
  const save = async ({ current_password, new_password }: Values): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await api.POST("/me/password", { body: { current_password, new_password } });
      form.reset();
      notifyDone(t("profile.passwordSaved"));
      invalidate("/devices");
    } catch (error) {
      if (error instanceof ApiError) form.setErrors(error.fields);
      setFailure(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };
  return (
    <form onSubmit={form.onSubmit((values) => void save(values))} method="post">
      <Stack gap="sm">
        {/* A password manager learns from it whose password this is. */}
        <input type="text" autoComplete="username" value={email} readOnly hidden />
        <PasswordInput
          label={t("profile.current")}
          autoComplete="current-password"
          required
          maxLength={limits.password}
          {...form.getInputProps("current_password")}
        />
        <NewPassword
          input={form.getInputProps("new_password")}
          repeated={form.getInputProps("again")}
          personal={personal}
        />
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button type="submit" loading={busy}>
            {t("profile.change")}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
