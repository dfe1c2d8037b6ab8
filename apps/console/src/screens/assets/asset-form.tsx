import {
  Alert,
  Button,
  Drawer,
  Fieldset,
  Group,
  NumberInput,
  SimpleGrid,
  Stack,
  Textarea,
  TextInput,
} from "@mantine/core";
import { useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api, invalidate, type Schemas } from "../../api/client.ts";
import { ApiError } from "../../api/problem.ts";
import { ifMatch } from "../../parts/if-match.ts";
import { notifyDone, reasonOf } from "../../parts/notify.tsx";
import {
  CategorySelect,
  CustodianSelect,
  DepartmentSelect,
  PlaceSelect,
} from "../../parts/record-select.tsx";
import { useChoices } from "../../parts/records.ts";
import { useRebasedForm } from "../../parts/use-rebased-form.ts";
import { useTenant } from "../../parts/workspace.ts";
import { changesOf, type FormValues, valuesOf } from "./asset-values.ts";
import { CustomInput } from "./custom-inputs.tsx";
import { customChanges, fieldsOf, inputOf } from "./custom-values.ts";

type Props = { asset?: Schemas["Asset"]; onClose: () => void };

const texts = ["serial_number", "manufacturer", "model"] as const;
const papers = ["supplier", "purchase_order", "invoice_number"] as const;

/** Creates an asset, or changes one. What was typed stays when a request fails. */
export function AssetForm({ asset, onClose }: Props) {
  const { t } = useTranslation();
  const navigate = useNavigate();
  const [failure, setFailure] = useState<string>();
  const [busy, setBusy] = useState(false);
  // Only changed fields are sent.
  const { form, base, rebase } = useRebasedForm(asset, valuesOf);
  const tenant = useTenant();
  const timeZone = tenant?.workspace.time_zone ?? "UTC";
  const categories = useChoices("/categories");
  const fields = fieldsOf(tenant?.custom_fields ?? [], form.values.category_id, categories);

  const close = (): void => {
    if (!form.isDirty() || window.confirm(t("form.discard"))) onClose();
  };

  const save = async (values: FormValues): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    const custom = customChanges(fields, values.custom_fields, base?.custom_fields ?? null, timeZone);
    const changes = {
      ...changesOf(values, valuesOf(base)),
      ...(Object.keys(custom).length > 0 && { custom_fields: custom }),
    };
    try {
      if (base === undefined) {
        const { data } = await api.POST("/assets", { body: { ...changes, name: values.name } });
        if (data === undefined) return;
        notifyDone(t("asset.createdDone", { name: values.name }));
        invalidate("/assets", "/home");
        await navigate({ to: "/assets/$id", params: { id: data.id } });
      } else {
        const params = { path: { id: base.id }, header: ifMatch(base) };
        await api.PATCH("/assets/{id}", { params, body: changes });
        notifyDone(t("asset.saved", { name: values.name }));
        invalidate("/assets");
      }
      onClose();
    } catch (error) {
      await explain(error).catch((reason: unknown) => setFailure(reasonOf(reason)));
    } finally {
      setBusy(false);
    }
  };

  /** Names the field of an error at the field. After a change by somebody else, the form keeps only what was typed. */
  const explain = async (error: unknown): Promise<void> => {
    if (!(error instanceof ApiError)) throw error;
    if (error.status === 412 && base !== undefined) {
      const { data } = await api.GET("/assets/{id}", { params: { path: { id: base.id } } });
      // Without `as_of` the answer is the asset itself.
      rebase(data as Schemas["Asset"]);
      setFailure(`${t("asset.changedTitle")}. ${t("asset.changedText")}`);
      return;
    }
    const known = Object.entries(error.fields).filter(
      ([name]) => name in form.values || name.startsWith("custom_fields."),
    );
    form.setErrors(Object.fromEntries(known));
    setFailure(reasonOf(error));
  };

  return (
    <Drawer
      opened
      onClose={close}
      position="right"
      size="lg"
      title={asset === undefined ? t("form.newAsset") : t("record.edit", { name: asset.name })}
      classNames={{ title: "cut" }}
    >
      <form onSubmit={form.onSubmit((values) => void save(values))}>
        <Stack>
          <TextInput
            label={t("assets.name")}
            required
            data-autofocus
            maxLength={200}
            {...form.getInputProps("name")}
          />
          <SimpleGrid cols={{ base: 1, xs: 2 }}>
            <TextInput
              label={t("assets.number")}
              description={asset === undefined ? t("form.numberHint") : undefined}
              inputWrapperOrder={["label", "input", "description", "error"]}
              {...form.getInputProps("number")}
            />
            <CategorySelect label={t("assets.category")} {...form.getInputProps("category_id")} />
          </SimpleGrid>
          <Fieldset legend={t("form.place")}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <PlaceSelect label={t("assets.location")} {...form.getInputProps("location_id")} />
              <CustodianSelect label={t("assets.custodian")} {...form.getInputProps("custodian_id")} />
              <DepartmentSelect label={t("assets.department")} {...form.getInputProps("department_id")} />
            </SimpleGrid>
          </Fieldset>
          <Fieldset legend={t("asset.details")}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              {texts.map((name) => (
                <TextInput key={name} label={t(`asset.${name}`)} {...form.getInputProps(name)} />
              ))}
            </SimpleGrid>
            <Textarea
              mt="sm"
              autosize
              minRows={2}
              label={t("asset.description")}
              {...form.getInputProps("description")}
            />
          </Fieldset>
          <Fieldset legend={t("form.money")}>
            <SimpleGrid cols={{ base: 1, xs: 2 }}>
              <NumberInput
                label={t("asset.cost")}
                min={0}
                decimalScale={3}
                thousandSeparator=" "
                {...form.getInputProps("cost")}
              />
              <NumberInput
                label={t("asset.salvage_value")}
                min={0}
                decimalScale={3}
                thousandSeparator=" "
                {...form.getInputProps("salvage_value")}
              />
              <TextInput
                type="date"
                label={t("asset.in_service_date")}
                {...form.getInputProps("in_service_date")}
              />
              <NumberInput
                label={t("asset.useful_life_months")}
                min={1}
                allowDecimal={false}
                {...form.getInputProps("useful_life_months")}
              />
              {papers.map((name) => (
                <TextInput key={name} label={t(`asset.${name}`)} {...form.getInputProps(name)} />
              ))}
            </SimpleGrid>
          </Fieldset>
          {fields.length > 0 && (
            <Fieldset legend={t("asset.fields")}>
              <SimpleGrid cols={{ base: 1, xs: 2 }}>
                {fields.map((field) => {
                  const name = `custom_fields.${field.key}`;
                  return (
                    <CustomInput
                      key={field.key}
                      field={field}
                      value={
                        form.values.custom_fields[field.key] ??
                        inputOf(field, base?.custom_fields?.[field.key], timeZone)
                      }
                      error={form.errors[name]}
                      required={field.required && asset === undefined}
                      onChange={(value) => form.setFieldValue(name, value)}
                    />
                  );
                })}
              </SimpleGrid>
            </Fieldset>
          )}
          {failure && (
            <Alert color="red" role="alert">
              {failure}
            </Alert>
          )}
          <Group justify="flex-end">
            <Button variant="default" onClick={close}>
              {t("action.cancel")}
            </Button>
            <Button type="submit" loading={busy}>
              {t(asset === undefined ? "action.create" : "action.save")}
            </Button>
          </Group>
        </Stack>
      </form>
    </Drawer>
  );
}
