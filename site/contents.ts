/** A part of the site's table of contents. */
export interface Section {
  readonly title: string;
  /** Markdown files from the root of the repository, in order. */
  readonly pages: readonly string[];
}

/** Where pages of docs/ go that no section names. */
const REST = "How-to";
/** The section of the library's own reference. */
export const REFERENCE = "Reference";

const docs = (...names: string[]): string[] => names.map((name) => `docs/${name}.md`);

const sections: readonly Section[] = [
  {
    title: "Tutorials",
    pages: docs(
      "start",
      "tutorials/csv",
      "tutorials/house-price",
      "studio",
      "tutorials/web-form",
      "tutorials/scikit-learn",
      "tutorials/xgboost",
      "tutorials/database",
    ),
  },
  {
    title: REST,
    pages: docs(
      "recipes",
      "page",
      "explanations",
      "asking",
      "prediction-sets",
      "any-classifier",
      "python",
      "use-it-from",
      "databases",
      "service",
      "troubleshooting",
    ),
  },
  { title: REFERENCE, pages: docs("cli", "options", "json", "model-file", "glossary") },
  {
    title: "Explanation",
    pages: docs(
      "when-not-to-use-it",
      "how-it-works",
      "missingness",
      "comparison",
      "performance",
      "nan",
      "mathematics",
      "faq",
    ),
  },
  {
    title: "Project",
    pages: [
      "paper/RESULTS.md",
      "compare/RESULTS.md",
      "docs/architecture.md",
      "CONTRIBUTING.md",
      "CHANGELOG.md",
      "docs/licenses.md",
      "SECURITY.md",
      "CODE_OF_CONDUCT.md",
    ],
  },
];

/** The sections with every page that there is; those of docs/ that none names stand among the how-to guides. */
export function arrange(existing: readonly string[]): Section[] {
  const named = new Set(sections.flatMap(({ pages }) => pages));
  const rest = existing.filter((page) => page.startsWith("docs/") && !named.has(page));
  return sections.map(({ title, pages }) => ({
    title,
    pages: [...pages.filter((page) => existing.includes(page)), ...(title === REST ? rest : [])],
  }));
}
