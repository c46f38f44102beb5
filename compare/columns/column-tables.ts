import type { PublishedTable } from "../tables/published-table.ts";

const REPOSITORY =
  "https://raw.githubusercontent.com/LAMDASZ-ML/TabFSBench/2aeb5fb24913e6063c961660dd9081d3ec4558b5/dataset";

function table(file: string, label: string, gitBlob: string, name = file): PublishedTable {
  return {
    name,
    label,
    gitBlob,
    path: `tabfsbench/${file}.csv`,
    url: `${REPOSITORY}/${file}/${file}.csv`,
  };
}

/** Tables of classes of TabFSBench (Cheng et al., ICML 2025). */
export const COLUMN_TABLES: readonly PublishedTable[] = [
  table("iris", "Species", "72ca02dd40373ed7f0100c3055ebd628b044e9ba"),
  table("heart", "HeartDisease", "d689de0d39083d5f5fbaf857caab3ab767d49821"),
  table("credit", "class", "3c6ff397cae7c4ee924e9d0ff8ca7d49c31e7749"),
  table("electricity", "class", "9804533ac56db7bc1c77cc1f97f3a26fb7d6ddeb"),
  table("eyemovements", "label", "c26a267e9b23844984a47d8bb193d0c7a32a8bf6", "eye movements"),
];

/** Its tables of numbers; without the times of bike, which are texts. */
export const NUMBER_TABLES: readonly PublishedTable[] = [
  table("abalone", "Age", "c5b5a9de691fd5f40d2a534f164c6279222598f9"),
  { ...table("bike", "count", "91359bad7f8c5d1d36b751059ac9cb43fd52dc4d"), without: ["datetime"] },
];
