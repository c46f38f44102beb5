import { testPublishedFiles } from "./support/published-files.ts";

// As a person would do it, with nothing but defaults.
testPublishedFiles();
