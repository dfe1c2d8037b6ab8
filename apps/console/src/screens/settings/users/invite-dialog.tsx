import { limits } from "@asset-register/proto/limits";
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { showAtFields } from "../../../parts/show-at-fields.ts";
import { isCapability } from "./capabilities.ts";
import { type Rights, RightsFields } from "./rights-fields.tsx";

type Props = {
  /** Somebody who is invited already: the new invitation replaces the first one. */
  user?: Schemas["UserAccount"];
  onInvited: (user: Schemas["InvitedUser"]) => void;
  onClose: () => void;
};

type Values = { email: string; name: string; rights: Rights };

/** Invites a person. The answer has the token of the invitation when the server does not mail it. */
export function InviteDialog({ user, onInvited, onClose }: Props) {
  const { t } = useTranslation();
  const form = useForm<Values>({
    initialValues: {
      email: user?.email ?? "",
      name: user?.name ?? "",
      rights: {
        admin: user?.admin ?? false,
        capabilities: user?.capabilities.filter(isCapability) ?? ["view"],
      },
    },
  });
  const { email, name, rights } = form.values;
  const invite = async (): Promise<void> => {
    const { data } = await api.POST("/users", { body: { email: email.trim(), name, ...rights } });
    if (data !== undefined) onInvited(data);
  };
  return (
    <ActionDialog
      title={t(user === undefined ? "users.invite" : "users.inviteAgain")}
      submit={t("users.invite")}
      done={t("users.invitedDone", { email })}
      changes={["/users", "/audit-log"]}
      disabled={email.trim() === "" || name.trim() === ""}
      onClose={onClose}
      action={() => showAtFields(form, invite)}
    >
      <TextInput
        label={t("signIn.email")}
        type="email"
        required
        maxLength={limits.email}
        readOnly={user !== undefined}
        data-autofocus
        {...form.getInputProps("email")}
      />
      <TextInput
        label={t("users.name")}
        required
        maxLength={limits.accountName}
        {...form.getInputProps("name")}
      />
      <RightsFields value={rights} onChange={(next) => form.setFieldValue("rights", next)} />
    </ActionDialog>
  );
}
