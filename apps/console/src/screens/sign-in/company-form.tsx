import { Alert, Button, Stack, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ApiError } from "../../api/problem.ts";
import { startSso } from "../../api/sso.ts";
import { reasonOf } from "../../parts/notify.tsx";

type Props = { email?: string; onPassword: () => void };

/** Leads to the sign-in page of a company, which its domain decides. */
export function CompanyForm({ email = "", onPassword }: Props) {
  const { t } = useTranslation();
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const form = useForm({ initialValues: { email } });
  const start = async (address: string): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      // The page is left, so the button stays busy.
      await startSso(address);
    } catch (error) {
      const isUnknown = error instanceof ApiError && [404, 422].includes(error.status);
      setFailure(isUnknown ? t("signIn.companyNone") : reasonOf(error));
      setBusy(false);
    }
  };
  return (
    <form onSubmit={form.onSubmit((values) => void start(values.email.trim()))} method="post">
      <Stack gap="sm">
        <Text size="sm" c="dimmed">
          {t("signIn.companyText")}
        </Text>
        <TextInput
          label={t("signIn.email")}
          type="email"
          autoComplete="username"
          required
          withAsterisk={false}
          data-autofocus
          {...form.getInputProps("email")}
        />
        {failure && (
          <Alert color="red" role="alert" py="xs">
            {failure}
          </Alert>
        )}
        <Button type="submit" size="md" loading={busy} fullWidth>
          {t("signIn.companyGo")}
        </Button>
        <Button variant="subtle" onClick={onPassword} fullWidth>
          {t("signIn.withPassword")}
        </Button>
      </Stack>
    </form>
  );
}
