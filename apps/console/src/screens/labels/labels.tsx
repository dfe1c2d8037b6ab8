import { templates } from "@asset-register/proto/label-templates";
import { limits } from "@asset-register/proto/limits";
import { Alert, Box, Button, Grid, Stack, Title } from "@mantine/core";
import { useForm } from "@mantine/form";
import { getRouteApi, useNavigate } from "@tanstack/react-router";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../api/client.ts";
import { useSession } from "../../api/use-session.ts";
import { reasonOf } from "../../parts/notify.tsx";
import { Page } from "../../parts/page.tsx";
import { showAtFields } from "../../parts/show-at-fields.ts";
import { Failed, Loading } from "../../parts/states.tsx";
import { useFormat, useTenant } from "../../parts/workspace.ts";
import { LabelLook, LabelMedium } from "./label-options.tsx";
import { LabelSheet } from "./label-sheet.tsx";
import { bodyOf, fields, initialValues } from "./label-values.ts";
import { LabelledAssets } from "./labelled-assets.tsx";
import { SampleLabel } from "./sample-label.tsx";
import { SheetPreview } from "./sheet-preview.tsx";
import { useLabelled } from "./use-labelled.ts";

const route = getRouteApi("/labels");

/** Labels of assets: which, on what, with what; then the file. */
export function Labels() {
  const { t } = useTranslation();
  const { may } = useSession();
  const format = useFormat();
  const search = route.useSearch();
  const navigate = useNavigate({ from: "/labels" });
  const labelled = useLabelled(search);
  const workspace = useTenant()?.workspace.name ?? "";
  const form = useForm({ initialValues: initialValues(may("edit")) });
  const [busy, setBusy] = useState(false);
  const [failure, setFailure] = useState<string>();
  const { values } = form;
  const { roll } = templates[values.template];

  const make = async (): Promise<void> => {
    setBusy(true);
    setFailure(undefined);
    try {
      const body = { ...bodyOf(values, roll), ...labelled.body };
      const { data } = await showAtFields(form, () => api.POST("/labels", { body }));
      // The selection is in the state of the history.
      await navigate({ search: { ...search, sheet: data?.id }, state: true, replace: true });
      window.scrollTo({ top: 0 });
    } catch (error) {
      setFailure(reasonOf(error));
    } finally {
      setBusy(false);
    }
  };

  if (labelled.isPending) return <Loading />;
  if (labelled.error) return <Failed error={labelled.error} retry={labelled.retry} />;
  const { count, sample } = labelled;
  const shown = { number: sample?.number ?? "", name: sample?.name ?? "", workspace_name: workspace };
  const chosen = fields.filter((one) => values.content.includes(one)).map((one) => shown[one]);
  const lines = [...chosen, values.text].filter(Boolean);
  return (
    <Page title={t("labels.title")}>
      {search.sheet && <LabelSheet key={search.sheet} id={search.sheet} />}
      <form
        onSubmit={(event) => {
          event.preventDefault();
          void make();
        }}
      >
        <Grid gap="md">
          <Grid.Col span={{ base: 12, md: 7 }}>
            <Stack>
              <LabelledAssets search={search} labelled={labelled} />
              <LabelMedium form={form} />
              <LabelLook form={form} />
              {failure && (
                <Alert color="red" role="alert">
                  {failure}
                </Alert>
              )}
              <Box>
                <Button
                  type="submit"
                  loading={busy}
                  disabled={count === 0 || count > limits.labels}
                  variant={search.sheet ? "outline" : "filled"}
                >
                  {search.sheet
                    ? t("labels.again")
                    : t("labels.make", { count, shown: format.number(count) })}
                </Button>
              </Box>
            </Stack>
          </Grid.Col>
          <Grid.Col span={{ base: 12, md: 5 }}>
            <Stack>
              <section>
                <Title order={2} size="h5" mb="xs">
                  {t("labels.sample")}
                </Title>
                <SampleLabel values={values} lines={lines} />
              </section>
              {!roll && (
                <section>
                  <Title order={2} size="h5" mb="xs">
                    {t("labels.sheet")}
                  </Title>
                  <SheetPreview
                    template={values.template}
                    start={values.start_at}
                    count={count}
                    onStart={(start) => form.setFieldValue("start_at", start)}
                  />
                </section>
              )}
            </Stack>
          </Grid.Col>
        </Grid>
      </form>
    </Page>
  );
}
