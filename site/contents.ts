/** A part of the site's table of contents. */
export interface Section {
  readonly title: string;
  /** Markdown files from the root of the repository, in order. */
  readonly pages: readonly string[];
}

/** Where pages of docs/ go that no section names. */
const REST = "Guides";

const sections: readonly Section[] = [
  {
    title: "Start",
    pages: [
      "docs/start.md",
      "docs/python.md",
      "docs/recipes.md",
      "docs/troubleshooting.md",
      "docs/faq.md",
      "docs/glossary.md",
    ],
  },
  {
    title: "Tutorials",
    pages: ["csv", "house-price", "scikit-learn", "xgboost", "web-form", "database"].map(
      (name) => `docs/tutorials/${name}.md`,
    ),
  },
  {
    title: "Is it for me?",
    pages: [
      "docs/how-it-works.md",
      "docs/when-not-to-use-it.md",
      "docs/comparison.md",
      "docs/performance.md",
    ],
  },
  {
    title: REST,
    pages: [
      "docs/studio.md",
      "docs/page.md",
      "docs/explanations.md",
      "docs/prediction-sets.md",
      "docs/asking.md",
      "docs/any-classifier.md",
      "docs/nan.md",
      "docs/use-it-from.md",
    ],
  },
  {
    title: "Reference",
    pages: ["docs/cli.md", "docs/options.md", "docs/json.md", "docs/model-file.md", "docs/mathematics.md"],
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

/** The sections with every page that there is; those of docs/ that none names stand among the guides. */
export function arrange(existing: readonly string[]): Section[] {
  const named = new Set(sections.flatMap(({ pages }) => pages));
  const rest = existing.filter((page) => page.startsWith("docs/") && !named.has(page));
  return sections.map(({ title, pages }) => ({
    title,
    pages: [...pages.filter((page) => existing.includes(page)), ...(title === REST ? rest : [])],
  }));
}
