import { Alert, Center, Stack, Text, TextInput } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { reasonOf } from "../../../parts/notify.tsx";
import { Loading } from "../../../parts/states.tsx";
import { CHANGED } from "./changed.ts";
import { QrCode } from "./qr-code.tsx";

type Props = { onSetUp: (recoveryCodes: string[]) => void; onClose: () => void };

/** Sets up codes of an app: the secret as a picture and a text, and the first code. */
export function TotpDialog({ onSetUp, onClose }: Props) {
  const { t } = useTranslation();
  const [started, setStarted] = useState<Schemas["StartedTotp"]>();
  const [failure, setFailure] = useState<string>();
  const [code, setCode] = useState("");
  const asked = useRef(false);
  useEffect(() => {
    if (asked.current) return;
    asked.current = true;
    api.POST("/me/mfa/totp").then(
      ({ data }) => setStarted(data),
      (error: unknown) => setFailure(reasonOf(error)),
    );
  }, []);
  const confirm = async (): Promise<void> => {
    const { data } = await api.POST("/me/mfa/totp/confirm", { body: { code: code.trim() } });
    onSetUp(data?.recovery_codes ?? []);
  };
  return (
    <ActionDialog
      title={t("mfa.app")}
      submit={t("mfa.turnOn")}
      done={t("mfa.turnedOn")}
      changes={CHANGED}
      disabled={started === undefined || code.trim() === ""}
      onClose={onClose}
      action={confirm}
    >
      {failure && (
        <Alert color="red" role="alert">
          {failure}
        </Alert>
      )}
      {!failure && started === undefined && <Loading />}
      {started && (
        <Stack gap="sm">
          <Text size="sm">{t("mfa.scan")}</Text>
          <Center>
            <QrCode text={started.uri} label={t("mfa.qr")} />
          </Center>
          <TextInput
            label={t("mfa.key")}
            value={started.secret}
            readOnly
            onFocus={(event) => event.currentTarget.select()}
          />
          <TextInput
            label={t("mfa.code")}
            description={t("mfa.codeHint")}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            required
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
            data-autofocus
          />
          <Text size="xs" c="dimmed">
            {t("mfa.others")}
          </Text>
        </Stack>
      )}
    </ActionDialog>
  );
}
