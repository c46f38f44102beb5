import { random } from "conformant";
import { shuffled } from "conformant-workbench";
import { type PublishedTable, pickTexts, readPublished, type TextRows } from "../tables/published-table.ts";

const COMMIT = "1dcc2bf5f955cc1224a3e1307256e1fe86b68dae";

/** A table of the collection Rdatasets, `package/table`. Its first column numbers the rows. */
function table(
  name: string,
  label: string,
  gitBlob: string,
  without: readonly string[] = [],
): PublishedTable {
  return {
    name,
    label,
    gitBlob,
    path: `rdatasets/${name}.csv`,
    url: `https://raw.githubusercontent.com/vincentarelbundock/Rdatasets/${COMMIT}/csv/${name}.csv`,
    without: ["rownames", ...without],
  };
}

/** Tables with missing values that nobody made: surveys, clinics, registers. Identifiers and columns that give the label away are not used. */
export const REAL_TABLES: readonly PublishedTable[] = [
  table("stevedata/anes_vote84", "vote", "cf705ce931259240b34602d5129ac827e50de874", ["uid"]),
  table("MASS/Pima.tr2", "type", "5b92d5d08eb753731fcbe8d57a2259e862b50dd2"),
  table("MASS/survey", "Sex", "71e3d17487923e40ca309822a9897e1d70de0ff3"),
  table("Stat2Data/Titanic", "Survived", "5b03036870a236cb1d7c84fb6c80ca962782616d", ["Name", "SexCode"]),
  table("carData/Chile", "vote", "1f5faf49f3259a2d90113e34dfe67c124e4a146f"),
  table("fivethirtyeight/bechdel", "binary", "ec655a69c11173f44d70252e983c6e4cbedd4d84", [
    "imdb",
    "title",
    "test",
    "clean_test",
    "code",
    "period_code",
    "decade_code",
  ]),
  table("mosaicData/HELPmiss", "substance", "2506530123ba515f231632a49f73da95052969b1", ["id"]),
  table("nycflights13/planes", "engine", "c485b9005b33c8eb522ac5b529b3210f0ca22d70", ["tailnum", "model"]),
  table("openintro/ncbirths", "lowbirthweight", "d419df4f249575967d6822ded69b850c84d3b94a", ["weight"]),
  table("openintro/births14", "lowbirthweight", "71888f6364e02f81a893004da4e3313e7f1f3855", ["weight"]),
  table("survival/cancer", "status", "344a7483996f7b8c6e8bfa007b8283b3225ef65b", ["inst", "time"]),
  table("survival/mgus", "death", "c39ee4391961f0df48d8c0d621f583917d59fcce", [
    "id",
    "pcdx",
    "pctime",
    "futime",
  ]),
  table("survival/pbc", "status", "2306e9607855388addd49be76505b0f89d3f51dc", ["id", "time"]),
  table("survival/flchain", "death", "67d2aff8ae5b7dcaa3266699126de7f36f61c045", ["futime", "chapter"]),
  table("mi/CHAIN", "damage", "aff1571e11a4b55bfa43226f9a1133474d03a512"),
  table("mi/nlsyV", "b.marr", "9b24bf1185285609b2384eca989cc6d6078e264a"),
  table("modeldata/credit_data", "Status", "a4683466298a508b93f174336b2c303bc4a1673d"),
  table("openintro/acs12", "disability", "4fc8655c6b83205aa9ed152ec7e06012b040c519"),
  table("openintro/census", "sex", "f3cb930d16273641fc42f5eb19d2858ec5809954", ["census_year"]),
  table("Stat2Data/Hawks", "Species", "7f98898aaad92340aafb321d7235e4adcc947125", [
    "CaptureTime",
    "ReleaseTime",
    "BandNumber",
  ]),
  table("Stat2Data/MathPlacement", "CourseSuccess", "307fbe416d4b569b00e075f7c2edc0379f8ebab0", [
    "Student",
    "Course",
    "Grade",
  ]),
  table("Stat2Data/Pines", "Deer97", "b33e2070641a7f93c2d5e56cd02f91215ab522e4"),
  table("Stat2Data/Goldenrod", "Fly04", "c1dac739455b440893eb6dce52d1f425aa4eec6a"),
  table("Stat2Data/YouthRisk2009", "MarijuaEver", "b1943279ab7e3005bef3d4f93eb56c735a0600c0", ["Sleep"]),
  table("fivethirtyeight/flying", "recline_rude", "716436f8b6d108bc253b6218334a34c740c4aac0", [
    "respondent_id",
  ]),
  table("fivethirtyeight/comma_survey", "more_grammar_correct", "666e33ddcc5183ee53428f785d7871a3b59a51ab", [
    "respondent_id",
  ]),
  table("fivethirtyeight/steak_survey", "lottery_a", "ac35cccefc509ff3848a22a26c4345235977546a", [
    "respondent_id",
  ]),
  table("fivethirtyeight/weather_check", "ck_weather_watch", "7e1c7506b58da488d64b72e011616d4e310e2081", [
    "respondent_id",
  ]),
  table("insuranceData/AutoBi", "ATTORNEY", "5d575c6c6e5e766d6be8f415745e4bae89df1fc9", ["CASENUM"]),
  table("mstate/ebmt1", "srvstat", "a798fb921fba719e1bf3f1690b02938ffddda562", [
    "patid",
    "srv",
    "rel",
    "relstat",
  ]),
  table("psych/bfi", "gender", "8bc0e5ed94c7e399acfec48b1ebc50f16054b4af"),
  table("sem/HS.data", "Gender", "eb20d14bf0a9e75ba1fe03c731512f31965d8418", ["id"]),
  table("stevedata/anes_prochoice", "choice", "4ae6e634af67236a9f648d8a6c669fbe0077b18c", [
    "version",
    "caseid",
    "lchoice",
  ]),
  table("stevedata/gss_spending", "natenvir", "c0f59993cee8f79d4c1273d80eedde451e221ef6", [
    "year",
    "id",
    "sumnat",
    "sumnatsoc",
  ]),
  table("wooldridge/fertil2", "usemeth", "1bc00c87e431f9442a063a068d52a245be4993b4", [
    "agesq",
    "urb_educ",
    "educ0",
  ]),
  table("wooldridge/wage2", "married", "d3e7f4569e3dd46e0358685300c47ec2c693086c", ["lwage"]),
  table("CardioDataSets/acs_patients_df", "Dx", "fc750be50066011ddd11dc0bfb302d722d098645"),
  table("OncoDataSets/WBreastCancer_tbl_df", "status", "e6300a33da3c961d599c66ae67c7d5a8f337b3e1", [
    "id",
    "time",
  ]),
  table("asaur/hepatoCellular", "Death", "4ce63c39515afd7ab6191f7c06a46b4bb3040334", [
    "Number",
    "OS",
    "RFS",
    "Recurrence",
  ]),
  table("MLDataR/long_stayers", "stranded.label", "2243cb3ae0220c0b6ccec61330b90dbd165b9e1a", ["admit_date"]),
  table("MLDataR/thyroid_disease", "ThryroidClass", "610267518af44e5c0a843eff141b367d09d44a2b"),
];

/** Rows of classes with fewer rows than these are dropped. */
const LEAST_OF_CLASS = 10;

/** The rows of a table, the label last; a larger table is sampled. */
export async function readReal(table: PublishedTable, mostRows: number): Promise<TextRows> {
  const all = await readPublished(table);
  const labels = all.rows.map((row) => row[all.names.length - 1]);
  const counts = new Map<string | null, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  const order = shuffled(all.rows.length, random(0)).filter(
    (r) => (counts.get(labels[r]) ?? 0) >= LEAST_OF_CLASS,
  );
  return pickTexts(all, order.subarray(0, mostRows));
}
