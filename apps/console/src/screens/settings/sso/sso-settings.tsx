import { Stack, Text } from "@mantine/core";
import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { api } from "../../../api/client.ts";
import { ApiError } from "../../../api/problem.ts";
import { ActionDialog } from "../../../parts/action-dialog.tsx";
import { ifMatch } from "../../../parts/if-match.ts";
import { Failed, Loading } from "../../../parts/states.tsx";
import { ConnectionForm } from "./connection-form.tsx";
import { ConnectionTest } from "./connection-test.tsx";
import { Domains } from "./domains.tsx";

/** Single sign-on: the connection to the provider, its test, and the domains of the company. */
export function SsoSettings() {
  const { t } = useTranslation();
  const [removing, setRemoving] = useState(false);
  // A workspace has none at first: that is no error.
  const found = useQuery({
    queryKey: ["get", "/sso", "settings"],
    queryFn: async ({ signal }) => {
      try {
        return (await api.GET("/sso", { signal })).data ?? null;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
    staleTime: 0,
  });
  if (found.isPending) return <Loading />;
  if (found.isError) return <Failed error={found.error} retry={() => void found.refetch()} />;
  const connection = found.data ?? undefined;
  return (
    <Stack maw={720}>
      <Text c="dimmed">{t("ssoSettings.text")}</Text>
      <ConnectionForm
        key={connection?.id ?? "new"}
        connection={connection}
        onRemove={() => setRemoving(true)}
      />
      {connection && <ConnectionTest />}
      <Domains />
      {removing && connection && (
        <ActionDialog
          title={t("ssoSettings.removeTitle")}
          submit={t("ssoSettings.remove")}
          done={t("ssoSettings.removed")}
          changes={["/sso"]}
          danger
          action={() => api.DELETE("/sso", { params: { header: ifMatch(connection) } })}
          onClose={() => setRemoving(false)}
        >
          <Text size="sm">{t("ssoSettings.removeText")}</Text>
        </ActionDialog>
      )}
    </Stack>
  );
}
