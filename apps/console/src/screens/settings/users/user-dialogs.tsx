import { limits } from "@asset-register/proto/limits";
import { Text, TextInput } from "@mantine/core";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { isCapability } from "./capabilities.ts";
import { type Rights, RightsFields } from "./rights-fields.tsx";

type Props = { user: Schemas["UserAccount"]; onClose: () => void };

const CHANGED = ["/users", "/audit-log"];

function change(user: Schemas["UserAccount"], body: Schemas["PatchUsersByIdRequest"]): Promise<unknown> {
  const params = { path: { id: user.id }, header: ifMatch(user) };
  return rereadIfChanged("/users", api.PATCH("/users/{id}", { params, body }));
}

/** Changes the name and the rights of a user. */
export function UserDialog({ user, onClose }: Props) {
  const { t } = useTranslation();
  const [name, setName] = useState(user.name);
  const before: Rights = { admin: user.admin, capabilities: user.capabilities.filter(isCapability) };
  const [rights, setRights] = useState(before);
  return (
    <ActionDialog
      title={t("record.edit", { name: user.name })}
      submit={t("action.save")}
      done={t("asset.saved", { name })}
      changes={CHANGED}
      disabled={name.trim() === ""}
      onClose={onClose}
      action={() => change(user, { name, ...rights })}
    >
      <TextInput
        label={t("users.name")}
        required
        maxLength={limits.accountName}
        value={name}
        onChange={(event) => setName(event.currentTarget.value)}
        data-autofocus
      />
      <RightsFields value={rights} onChange={setRights} />
    </ActionDialog>
  );
}

/** Disables a user, or enables a disabled one. */
export function UserStatusDialog({ user, onClose }: Props) {
  const { t } = useTranslation();
  const verb = user.status === "disabled" ? "enable" : "disable";
  const status = verb === "enable" ? "active" : "disabled";
  return (
    <ActionDialog
      title={t(`users.${verb}Title`, { name: user.name })}
      submit={t(`settings.${verb}`)}
      done={t("asset.saved", { name: user.name })}
      changes={CHANGED}
      danger={verb === "disable"}
      onClose={onClose}
      action={() => change(user, { status })}
    >
      <Text size="sm">{t(`users.${verb}Text`)}</Text>
    </ActionDialog>
  );
}

type ResetProps = Props & { onReset: (user: Schemas["UserPasswordReset"]) => void };

/** Lets a user choose a new password. The answer has the token when the server does not mail it. */
export function ResetDialog({ user, onReset, onClose }: ResetProps) {
  const { t } = useTranslation();
  const { name, id } = user;
  const reset = async (): Promise<void> => {
    const { data } = await api.POST("/users/{id}/password-reset", { params: { path: { id } } });
    if (data !== undefined) onReset(data);
  };
  return (
    <ActionDialog
      title={t("users.resetTitle", { name })}
      submit={t("users.reset")}
      done={t("users.resetDone", { name })}
      changes={["/audit-log"]}
      onClose={onClose}
      action={reset}
    >
      <Text size="sm">{t("users.resetText")}</Text>
    </ActionDialog>
  );
}

/** Removes the second factors of a user who has lost them. */
export function ResetMfaDialog({ user, onClose }: Props) {
  const { t } = useTranslation();
  return (
    <ActionDialog
      title={t("users.resetMfaTitle", { name: user.name })}
      submit={t("users.resetMfa")}
      done={t("asset.saved", { name: user.name })}
      changes={CHANGED}
      danger
      onClose={onClose}
      action={() => api.POST("/users/{id}/mfa/reset", { params: { path: { id: user.id } } })}
    >
      <Text size="sm">{t("users.resetMfaText")}</Text>
    </ActionDialog>
  );
}
