"""What questions are answered with: a text, HTML for a notebook, and a DataFrame."""

from __future__ import annotations

import html
from typing import Any, Optional


class Explanation(dict):  # type: ignore[type-arg]
    """Why a row is predicted as it is: the keys of `conformant explain --json`."""

    def to_frame(self) -> Any:
        """The contributions of the known columns, in the order of the row."""
        import pandas as pd

        return pd.DataFrame(self["contributions"])

    def __str__(self) -> str:
        return _plain(self["words"])

    def __repr__(self) -> str:
        return f"<Explanation: {self['prediction']}>"

    def _repr_html_(self) -> str:
        return f"<div>{self.get('svg', '')}<p>{html.escape(str(self)).replace(chr(10), '<br>')}</p></div>"


class Questions(list):  # type: ignore[type-arg]
    """The missing values of a row, the most informative first: the items of `conformant ask --json`."""

    def to_frame(self) -> Any:
        import pandas as pd

        return pd.DataFrame([dict(item) for item in self])

    def _repr_html_(self) -> str:
        return str(self.to_frame()._repr_html_())


class Evaluation(dict):  # type: ignore[type-arg]
    """Scores on test rows as more values are masked, beside baselines: the keys of `conformant evaluate --json`."""

    def to_frame(self, metric: Optional[str] = None) -> Any:
        """A row per method and share of masked values, a column per metric; for one metric a column per share."""
        import pandas as pd

        rates = self["missing"]
        metrics = {_snake(key): key for key in next(iter(self["methods"].values())) if isinstance(self["methods"]["ours"][key], list)}
        metrics.pop("reliability", None)
        records = [
            {
                "method": name,
                "missing": rate,
                **{metric: scores[key][i] for metric, key in metrics.items()},
                **{f"{metric}_se": scores["standardError"][key][i] for metric, key in metrics.items() if key in scores["standardError"]},
            }
            for name, scores in self["methods"].items()
            for i, rate in enumerate(rates)
        ]
        frame = pd.DataFrame(records)
        if metric is None:
            return frame
        if metric not in metrics:
            raise ValueError(f"metric must be one of {', '.join(metrics)}, got {metric!r}")
        return frame.pivot(index="method", columns="missing", values=metric).reindex(self["methods"])

    def __str__(self) -> str:
        return str(self["text"])

    def __repr__(self) -> str:
        return f"<Evaluation: {self['rows']} rows, methods {', '.join(self['methods'])}>"

    def _repr_html_(self) -> str:
        shown = ("rmse", "r2") if "rmse" in self["methods"]["ours"] else ("accuracy", "log_loss")
        parts = [f"<h4>{html.escape(metric)}</h4>{self.to_frame(metric).to_html(float_format='%.4g')}" for metric in shown]
        return f"<div>{''.join(parts)}</div>"


class RegressionVerdict(dict):  # type: ignore[type-arg]
    """How good a model is on rows it was not trained on: the key "verdict" of `conformant fit --json`."""

    def to_frame(self) -> Any:
        """The errors beside those of always answering the mean."""
        import pandas as pd

        rows = {"model": [self["rmse"], self["mae"], self["r2"]], "mean of y": [self["baselineRmse"], None, 0.0]}
        return pd.DataFrame.from_dict(rows, orient="index", columns=["rmse", "mae", "r2"], dtype=float)

    def __str__(self) -> str:
        return str(self["sentence"])

    def __repr__(self) -> str:
        return f"<{type(self).__name__}: {self['sentence']}>"

    def _repr_html_(self) -> str:
        return f"<div><p>{html.escape(str(self))}</p>{self.to_frame().to_html()}</div>"


class Verdict(RegressionVerdict):
    """The same of a classifier."""

    def __init__(self, verdict: Any, classes: Any) -> None:
        super().__init__(verdict)
        self._classes = classes

    def __reduce__(self) -> Any:
        return Verdict, (dict(self), self._classes)

    def to_frame(self) -> Any:
        """Rows of each class (index) that are predicted to be each class (columns)."""
        import pandas as pd

        names = list(self._classes)
        return pd.DataFrame(self["confusion"], index=pd.Index(names, name="true"), columns=pd.Index(names, name="predicted"))


def _snake(name: str) -> str:
    return "".join(f"_{letter.lower()}" if letter.isupper() else letter for letter in name)


def _plain(words: Any) -> str:
    return "\n".join(words) if isinstance(words, list) else str(words)
