import { Box, Button, Group, Text, Title } from "@mantine/core";
import { useEffect } from "react";
import { useTranslation } from "react-i18next";
import { session } from "../../api/authorised-fetch.ts";
import { cache } from "../../api/client.ts";
import { gate } from "../../api/gate.ts";
import { Security } from "../settings/security/security.tsx";
import classes from "./enrolment.module.css";

/** In place of every screen while the workspace requires a second factor that the user does not have. */
export function Enrolment() {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${t("mfa.enrolTitle")} · ${t("app.name")}`;
  }, [t]);
  const goOn = (): void => {
    cache.clear();
    gate.open();
  };
  return (
    <Box component="main" className={classes.page}>
      <Group justify="space-between" mb="md">
        <img src="/app/icon.svg" alt="" width={44} height={44} />
        <Button variant="default" onClick={() => void session.signOut()}>
          {t("nav.signOut")}
        </Button>
      </Group>
      <Title order={1} mb="xs">
        {t("mfa.enrolTitle")}
      </Title>
      <Text c="dimmed" mb="lg">
        {t("mfa.enrolText")}
      </Text>
      <Security onSetUp={goOn} />
    </Box>
  );
}
