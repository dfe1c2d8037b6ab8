import { Center } from "@mantine/core";
import { IconBox } from "@tabler/icons-react";
import classes from "./thumbnail.module.css";

/** The small picture of an asset, which the list contains. */
export function Thumbnail({ src }: { src: string | null | undefined }) {
  if (src) return <img className={classes.box} src={src} alt="" width={40} height={40} />;
  return (
    <Center className={classes.box} aria-hidden>
      <IconBox size={20} stroke={1.4} />
    </Center>
  );
}
