import { testPublishedFiles } from "./support/published-files.ts";

// One component: the files are what is tested here, and choosing the size of a mixture of them takes minutes.
testPublishedFiles("--components", "1");
