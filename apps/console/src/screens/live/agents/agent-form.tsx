import { limits } from "@asset-register/proto/limits";
import { TextInput } from "@mantine/core";
import { useForm } from "@mantine/form";
import { useTranslation } from "react-i18next";
import { api, type Schemas } from "../../../api/client.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { optionsOf } from "../../../parts/chosen.ts";
import { ifMatch, rereadIfChanged } from "../../../parts/if-match.ts";
import { ManySelect } from "../../../parts/many-select.tsx";
import { useChoices } from "../../../parts/records.ts";
import { showAtFields } from "../../../parts/show-at-fields.ts";

type Agent = Schemas["Agent"];
type Props = { agent?: Agent; onToken: (name: string, token: string) => void; onClose: () => void };

/** Adds an agent, whose token is shown once, or changes one. */
export function AgentForm({ agent, onToken, onClose }: Props) {
  const { t } = useTranslation();
  const form = useForm({
    initialValues: { name: agent?.name ?? "", reader_ids: agent?.reader_ids ?? [] },
  });
  const { values } = form;
  const save = async (): Promise<void> => {
    const body = { ...values, name: values.name.trim() };
    if (agent === undefined) {
      const { data } = await api.POST("/agents", { body });
      if (data !== undefined) onToken(data.name, data.token);
      return;
    }
    const params = { path: { id: agent.id }, header: ifMatch(agent) };
    await rereadIfChanged("/agents", api.PATCH("/agents/{id}", { params, body }));
  };
  const readers = useChoices("/readers");
  return (
    <ActionDialog
      title={agent === undefined ? t("agents.new") : t("record.edit", { name: agent.name })}
      submit={t(agent === undefined ? "action.create" : "action.save")}
      done={t(agent === undefined ? "record.created" : "record.saved", { name: values.name })}
      changes={["/agents"]}
      disabled={values.name.trim() === "" || (agent !== undefined && !form.isDirty())}
      onClose={onClose}
      action={() => showAtFields(form, save)}
    >
      <TextInput
        label={t("agents.name")}
        description={t("agents.nameHint")}
        required
        maxLength={limits.name}
        data-autofocus
        {...form.getInputProps("name")}
      />
      <ManySelect
        label={t("agents.readers")}
        description={t("agents.readersHint")}
        searchable
        limit={100}
        maxValues={limits.agentReaders}
        nothingFoundMessage={t("nav.nothingFound")}
        data={optionsOf(readers, agent?.readers)}
        {...form.getInputProps("reader_ids")}
      />
    </ActionDialog>
  );
}
