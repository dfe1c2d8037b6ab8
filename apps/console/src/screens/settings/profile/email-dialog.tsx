import { limits } from "@asset-register/proto/limits";
import { PasswordInput, Text, TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { showAtFields } from "../../../parts/show-at-fields.ts";

type Values = { email: string; password: string };

/** Asks for another e-mail address. It changes when the link in the mail to it is opened. */
export function EmailDialog({ onClose }: { onClose: () => void }) {
  const { t } = useTranslation();
  const form = useForm<Values>({ initialValues: { email: "", password: "" } });
  const { email, password } = form.values;
  const request = async (): Promise<void> => {
    try {
      await showAtFields(form, () => api.POST("/me/email", { body: { email: email.trim(), password } }));
    } catch (error) {
      const noMail = error instanceof ApiError && error.code === "MAIL_NOT_CONFIGURED";
      throw noMail ? new Error(t("profile.noMail")) : error;
    }
  };
  return (
    <ActionDialog
      title={t("profile.emailTitle")}
      submit={t("profile.emailSubmit")}
      done={t("profile.emailDone", { email: email.trim() })}
      changes={["/audit-log"]}
      disabled={email.trim() === "" || password === ""}
      onClose={onClose}
      action={request}
    >
      <Text size="sm">{t("profile.emailText")}</Text>
      <TextInput
        label={t("profile.emailNew")}
        type="email"
        autoComplete="email"
        required
        maxLength={limits.email}
        data-autofocus
        {...form.getInputProps("email")}
      />
      <PasswordInput
        label={t("profile.current")}
        autoComplete="current-password"
        required
        maxLength={limits.password}
        {...form.getInputProps("password")}
      />
    </ActionDialog>
  );
}
