import { testPublishedFiles } from "./support/published-files.ts";

// One component, and no row with gaps trained on: the files are what is tested here, and mixtures of them take minutes.
testPublishedFiles("--components", "1", "--train-on", "complete");
