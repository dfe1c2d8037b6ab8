import { Alert, Anchor, Button, Group, Stack, Text, TextInput } from "@mantine/core";
import { IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { session } from "../../api/authorised-fetch.ts";
import { ApiError } from "../../api/problem.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { assertPasskey, PasskeyCancelled } from "../../parts/passkey.ts";

type Props = {
  step: ApiError["problem"];
  /** Shows the first step again. */
  onRestart: (error?: string) => void;
};

type Proof = Omit<Parameters<typeof session.secondStep>[0], "challenge" | "device_uuid" | "cookie">;

/** The second step of a sign-in: a passkey, a code of an app, or a recovery code. */
export function SecondStep({ step, onRestart }: Props) {
  const { t } = useTranslation();
  const { challenge = "", device_uuid = "", methods = [], passkey_options } = step;
  const hasCodes = methods.includes("totp");
  const [kind, setKind] = useState<"code" | "recovery_code">(hasCodes ? "code" : "recovery_code");
  const [text, setText] = useState("");
  const [busy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  // Somebody with a passkey alone types a recovery code only when asked for it.
  const [typing, setTyping] = useState(hasCodes || passkey_options === undefined);

  const prove = async (proofOf: () => Promise<Proof> | Proof): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      await session.secondStep({ challenge, device_uuid, ...(await proofOf()) });
    } catch (reason) {
      if (reason instanceof ApiError && reason.code === "MFA_CHALLENGE_ENDED") onRestart(reason.message);
      else setError(reason instanceof PasskeyCancelled ? t("mfa.cancelled") : reasonOf(reason));
    } finally {
      setBusy(false);
    }
  };
  const choose = (next: typeof kind): void => {
    setKind(next);
    setText("");
    setTyping(true);
  };

  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void prove(() => ({ [kind]: text.trim() }));
      }}
    >
      <Stack gap="sm">
        <Text size="sm">{t("mfa.stepText")}</Text>
        {passkey_options && (
          <Button
            size="md"
            fullWidth
            variant={typing ? "default" : "filled"}
            loading={busy}
            leftSection={<IconFingerprint size={19} stroke={1.6} aria-hidden />}
            onClick={() =>
              void prove(async () => ({ assertion: await assertPasskey(passkey_options) }) as Proof)
            }
            data-autofocus
          >
            {t("mfa.usePasskey")}
          </Button>
        )}
        {typing && (
          <TextInput
            key={kind}
            label={t(kind === "code" ? "mfa.code" : "mfa.recoveryCode")}
            autoComplete={kind === "code" ? "one-time-code" : "off"}
            inputMode={kind === "code" ? "numeric" : "text"}
            maxLength={kind === "code" ? 20 : 50}
            required
            withAsterisk={false}
            autoFocus
            value={text}
            onChange={(event) => setText(event.currentTarget.value)}
          />
        )}
        {error && (
          <Alert color="red" role="alert" py="xs">
            {error}
          </Alert>
        )}
        {typing && (
          <Button type="submit" size="md" fullWidth loading={busy}>
            {t("signIn.submit")}
          </Button>
        )}
        <Group justify="space-between">
          <Anchor component="button" type="button" size="sm" onClick={() => onRestart()}>
            {t("mfa.back")}
          </Anchor>
          {hasCodes && kind === "recovery_code" && (
            <Anchor component="button" type="button" size="sm" onClick={() => choose("code")}>
              {t("mfa.useCode")}
            </Anchor>
          )}
          {methods.includes("recovery_code") && !(typing && kind === "recovery_code") && (
            <Anchor component="button" type="button" size="sm" onClick={() => choose("recovery_code")}>
              {t("mfa.useRecovery")}
            </Anchor>
          )}
        </Group>
        <Text size="xs" c="dimmed">
          {t("mfa.lost")}
        </Text>
      </Stack>
    </form>
  );
}
