// Writes docs/licences.md: the licences of all dependencies, as package-lock.json has them.
//
//   npm run licences

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { licencesPage, readDependencies } from "../test/repository/licences.ts";

writeFileSync(
  fileURLToPath(new URL("../docs/licences.md", import.meta.url)),
  licencesPage(readDependencies()),
);
