import { Box, Title } from "@mantine/core";
import { type ReactNode, useEffect } from "react";
import { useTranslation } from "react-i18next";
import classes from "./public-page.module.css";

/** A page for people without a session: one card. */
export function PublicPage({ title, children }: { title: string; children: ReactNode }) {
  const { t } = useTranslation();
  useEffect(() => {
    document.title = `${title} · ${t("app.name")}`;
  }, [t, title]);
  return (
    <Box component="main" className={classes.page}>
      <Box className={classes.card}>
        <img src="/app/icon.svg" alt="" width={44} height={44} />
        <Title order={1} mt="md" mb="sm" className="wrap">
          {title}
        </Title>
        {children}
      </Box>
    </Box>
  );
}
