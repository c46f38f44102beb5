// Writes docs/licenses.md: the licenses of all dependencies, as package-lock.json has them.
//
//   npm run licenses

import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { licensesPage, readDependencies } from "../test/repository/licenses.ts";

writeFileSync(
  fileURLToPath(new URL("../docs/licenses.md", import.meta.url)),
  licensesPage(readDependencies()),
);
