import { limits } from "@asset-register/proto/limits";
import { Alert, Button, Group, Modal, PasswordInput, Stack, Text, TextInput } from "@mantine/core";
import { IconBuilding, IconFingerprint } from "@tabler/icons-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, queries } from "../../api/client.ts";
import { gate } from "../../api/gate.ts";
import { startSso } from "../../api/sso.ts";
import { useSession } from "../../api/use-session.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { assertPasskey, PasskeyCancelled } from "../../parts/passkey.ts";
import { Failed, Loading } from "../../parts/states.tsx";

/** Above the dialog whose request waits. */
const Z_INDEX = 900;

/** Asks the user to confirm who they are. The requests that wait for it then go on. */
export function Reauthenticate() {
  const { t } = useTranslation();
  const found = queries.useQuery("post", "/me/reauthenticate/options", {}, { gcTime: 0, staleTime: 0 });
  return (
    <Modal
      opened
      onClose={() => gate.confirm(false)}
      title={t("mfa.againTitle")}
      closeOnEscape={false}
      closeOnClickOutside={false}
      zIndex={Z_INDEX}
    >
      <Text size="sm" c="dimmed" mb="md">
        {t("mfa.againText")}
      </Text>
      {found.isPending && <Loading />}
      {found.isError && <Failed error={found.error} retry={() => void found.refetch()} />}
      {found.data && (
        <Form hasPassword={found.data.password} hasSso={found.data.sso} methods={found.data.methods} />
      )}
    </Modal>
  );
}

type Proof = { password?: string; code?: string; assertion?: object };

type FormProps = { hasPassword: boolean; hasSso: boolean; methods: readonly string[] };

function Form({ hasPassword, hasSso, methods }: FormProps) {
  const { t } = useTranslation();
  const { session } = useSession();
  const [password, setPassword] = useState("");
  const [code, setCode] = useState("");
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const hasPasskey = methods.includes("passkey");
  const hasCodes = methods.includes("totp");
  // A user who has only passkeys needs the password if the passkey has no fingerprint or PIN.
  const submits = hasPassword && (hasCodes || !hasPasskey);

  const attempt = async (work: () => Promise<void>): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      await work();
    } catch (error) {
      setFailure(error instanceof PasskeyCancelled ? t("mfa.cancelled") : reasonOf(error));
      setBusy(false);
    }
  };
  const confirm = (proofOf: () => Promise<Proof> | Proof): Promise<void> =>
    attempt(async () => {
      await api.POST("/me/reauthenticate", { body: (await proofOf()) as object });
      gate.confirm(true);
    });
  const typed = (): Proof => ({
    ...(password !== "" && { password }),
    ...(code.trim() !== "" && { code: code.trim() }),
  });
  const byPasskey = async (): Promise<Proof> => {
    const { data } = await api.POST("/me/reauthenticate/options");
    return {
      ...(password !== "" && { password }),
      assertion: await assertPasskey(data?.passkey_options ?? {}),
    };
  };

  return (
    <form
      method="post"
      onSubmit={(event) => {
        event.preventDefault();
        void confirm(submits ? typed : byPasskey);
      }}
    >
      <Stack gap="sm">
        <input type="text" autoComplete="username" value={session?.user.email ?? ""} readOnly hidden />
        {hasPasskey && (
          <Button
            variant={submits ? "default" : "filled"}
            loading={busy}
            leftSection={<IconFingerprint size={19} stroke={1.6} aria-hidden />}
            onClick={() => void confirm(byPasskey)}
          >
            {t("mfa.usePasskey")}
          </Button>
        )}
        {hasPassword && (
          <PasswordInput
            label={t("signIn.password")}
            autoComplete="current-password"
            maxLength={limits.password}
            required={submits}
            withAsterisk={false}
            data-autofocus={submits || undefined}
            value={password}
            onChange={(event) => setPassword(event.currentTarget.value)}
          />
        )}
        {hasPassword && hasCodes && (
          <TextInput
            label={t("mfa.code")}
            autoComplete="one-time-code"
            inputMode="numeric"
            maxLength={20}
            required
            withAsterisk={false}
            value={code}
            onChange={(event) => setCode(event.currentTarget.value)}
          />
        )}
        {hasSso && (
          <>
            <Button
              variant={submits || hasPasskey ? "default" : "filled"}
              loading={busy}
              leftSection={<IconBuilding size={19} stroke={1.6} aria-hidden />}
              // The page is left, so the button stays busy.
              onClick={() => void attempt(() => startSso(session?.user.email ?? "", { fresh: true }))}
            >
              {t("mfa.companyAgain")}
            </Button>
            <Text size="sm" c="dimmed">
              {t("mfa.companyAgainText")}
            </Text>
          </>
        )}
        {failure && (
          <Alert color="red" role="alert">
            {failure}
          </Alert>
        )}
        <Group justify="flex-end">
          <Button variant="default" onClick={() => gate.confirm(false)}>
            {t("action.cancel")}
          </Button>
          {submits && (
            <Button type="submit" loading={busy}>
              {t("mfa.confirm")}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
