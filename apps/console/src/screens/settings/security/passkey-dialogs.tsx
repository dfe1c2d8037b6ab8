import { limits } from "@asset-register/proto/limits";
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { deviceName } from "../../../api/device-name.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch } from "../../../parts/if-match.ts";
import { createPasskey, PasskeyCancelled } from "../../../parts/passkey.ts";
import { CHANGED } from "./changed.ts";

type Passkey = Schemas["Passkey"];
type OfPasskey = { passkey: Passkey; onClose: () => void };

function NameField({ name, onChange }: { name: string; onChange: (name: string) => void }) {
  const { t } = useTranslation();
  return (
    <TextInput
      label={t("mfa.passkeyName")}
      description={t("mfa.passkeyNameHint")}
      required
      maxLength={limits.accountName}
      value={name}
      onChange={(event) => onChange(event.currentTarget.value)}
      data-autofocus
    />
  );
}

/** Registers a passkey of this device, or of a phone or security key that the browser offers. */
export function AddPasskeyDialog({
  onSetUp,
  onClose,
}: {
  onSetUp: (recoveryCodes: string[]) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation();
  const [name, setName] = useState(deviceName(navigator.userAgent) ?? "");
  const add = async (): Promise<void> => {
    const { data: started } = await api.POST("/me/passkeys/options");
    const registration = await createPasskey(started?.options ?? {}).catch((error: unknown) => {
      throw error instanceof PasskeyCancelled ? new Error(t("mfa.cancelled")) : error;
    });
    const { data } = await api.POST("/me/passkeys", { body: { name: name.trim(), registration } });
    onSetUp(data?.recovery_codes ?? []);
  };
  return (
    <ActionDialog
      title={t("mfa.addPasskey")}
      submit={t("mfa.addPasskey")}
      done={t("mfa.passkeyAdded", { name })}
      changes={CHANGED}
      disabled={name.trim() === ""}
      onClose={onClose}
      action={add}
    >
      <NameField name={name} onChange={setName} />
      <Text size="xs" c="dimmed">
        {t("mfa.others")}
      </Text>
    </ActionDialog>
  );
}

export function RenamePasskeyDialog({ passkey, onClose }: OfPasskey) {
  const { t } = useTranslation();
  const [name, setName] = useState(passkey.name);
  return (
    <ActionDialog
      title={t("record.edit", { name: passkey.name })}
      submit={t("action.save")}
      done={t("record.saved", { name })}
      changes={CHANGED}
      disabled={name.trim() === ""}
      onClose={onClose}
      action={() =>
        api.PATCH("/me/passkeys/{id}", {
          params: { path: { id: passkey.id }, header: ifMatch(passkey) },
          body: { name: name.trim() },
        })
      }
    >
      <NameField name={name} onChange={setName} />
    </ActionDialog>
  );
}

export function RemovePasskeyDialog({ passkey, onClose }: OfPasskey) {
  const { t } = useTranslation();
  const { id, name } = passkey;
  return (
    <ActionDialog
      title={t("mfa.removePasskeyTitle", { name })}
      submit={t("mfa.removePasskey")}
      done={t("mfa.passkeyRemoved", { name })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={() => api.DELETE("/me/passkeys/{id}", { params: { path: { id }, header: ifMatch(passkey) } })}
    >
      <Text size="sm">{t("mfa.removePasskeyText")}</Text>
    </ActionDialog>
  );
}
