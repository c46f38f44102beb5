import type { PublishedTable } from "../tables/published-table.ts";

const REPOSITORY =
  "https://raw.githubusercontent.com/UCLA-StarAI/mc2/9b5345ada98fc74f6af860df46b9783d5bcc0bb5/data";

/** Tables with a number to predict, from the repository of Khosravi et al., NeurIPS 2019. */
export const REGRESSION_TABLES: readonly PublishedTable[] = [
  {
    name: "insurance",
    label: "charges",
    path: "regression/insurance.csv",
    url: `${REPOSITORY}/insurance/insurance.csv`,
    gitBlob: "04bc36e4143a10a2ebadea732c9e0d0e0c393529",
  },
  {
    name: "abalone",
    label: "Rings",
    path: "regression/abalone.csv",
    url: `${REPOSITORY}/abalone/abalone.data`,
    gitBlob: "3f6c2ed05f2eda895727011927b62a9d64c7bed1",
  },
  {
    name: "delta-ailerons",
    label: "Sa",
    path: "regression/delta-ailerons.csv",
    url: `${REPOSITORY}/delta-ailerons/delta_ailerons.data`,
    gitBlob: "5bfd2571d1b4ee3c9585e8003d890ccdad6d4151",
  },
  {
    name: "elevators",
    label: "Goal",
    path: "regression/elevators.csv",
    url: `${REPOSITORY}/elevators/elevators.full`,
    gitBlob: "c70c4751b75c0c1961c84efea3129f366839b612",
  },
  {
    name: "kc-house",
    label: "price",
    path: "regression/kc-house.csv",
    url: `${REPOSITORY}/kings-county/kc_house_data.csv`,
    gitBlob: "2abd61d2f7a5c8cbb5f793fa30d52cb8f7a8ecd1",
    without: ["id", "date"],
  },
];
