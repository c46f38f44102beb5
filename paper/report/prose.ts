/** The words of RESULTS.md; its numbers come from the results. */

export const INTRODUCTION = `The evaluation of *What to Expect of Classifiers? Reasoning about Logistic Regression with Missing Features*
(Khosravi, Liang, Choi, Van den Broeck, IJCAI 2019), run with this library. \`npm run paper\` writes this page,
[results/](results) and [figures/](figures); \`npm run paper -- --help\` lists what can be chosen. The same seed gives the
same numbers to the last bit.

The protocol is the paper's: logistic regression trained on complete rows; categorical columns as one-hot groups,
continuous ones as 1 where the value lies above mean + 0.05 standard deviations; columns removed uniformly at random
from every test row, a one-hot group as a whole; ⌊0.2 · columns⌋ times 1, 2, 3, 4 columns for 20, 40, 60, 80 %. \`nacl\` is
the paper's method on independent one-hot bits; "a group as one column" is what \`conform\` does by default.
Every imputation is fitted on the training rows, except where the authors' split is named: there min, max, mean and
median are taken of the test rows, as in the authors' code.`;

export const ANSWERS = {
  q1: `### Q1: are the estimates close to the full-data prediction, and closer than imputation?

Against the constants, yes: NaCL is closer than min, max, mean and median at every rate of every dataset. Against imputation that
knows how columns depend on each other the paper's answer does not hold. EM, chained equations and nearest
neighbours fitted on the training rows are closer than NaCL at about one per cent missing (below), on Adult at every rate, on CovType
at 20 % and on Splice up to 40 %; beyond that NaCL is closer, because the classifier becomes too sure of what was filled in. Measured
by weighted F1 EM and chained equations are ahead of NaCL on all three at every rate from 20 to 80 %. The paper found EM
"second-to-worst" and MICE like the mean because of the program its code calls (the Python package impyute, on the test rows): what is named
EM there draws each gap at random from a normal distribution of its column alone, without a look at the rest of the row. A chained equation that predicts a bit from the other bits of its own one-hot group never leaves the
mean; ours predicts a group from the other columns. What remains of the paper's point is the cost: NaCL needs a table
lookup per gap.`,
  q2: `### Q2: do better expectations mean better classification?

At how many of the numbers of missing columns NaCL is the best of the paper's five methods:`,
  q3: `### Q3: does NaCL keep logistic regression's advantage over naive Bayes?

As in the paper: with complete rows logistic regression is ahead of naive Bayes except on Splice, where the two are about
equal, and NaCL keeps the lead for a while; with most columns missing naive Bayes is ahead.`,
};

export const DIFFERENCES = `- **MNIST and Fashion** reproduce, see the tables above, with two exceptions. The median is taken of the training rows here and of the
  test rows in the authors' code; on Fashion that sets nine pixels differently, and with the test rows' medians its cross entropy at 640 missing pixels is 2.67
  instead of 3.15, the paper's 2.66. Naive Bayes' cross entropy is larger here than in
  the paper's figure because the authors add 1e-14 to every probability before the logarithm, which caps what an
  over-confident answer costs; nothing is added here.
- **Splice, the authors' split**: weighted F1 reproduces within noise, median included, with the constants taken of the test rows
  as in the authors' code. The median is the one that depends on it: three bits are set in more than half of the training rows
  but one in more than half of the test rows, and with the training rows' medians the median is far better (compare our split).
  Min and max coincide, in the paper's F1 as here: with a free intercept the weights of a one-hot group sum to zero,
  so all zeros and all ones score alike. The paper's cross entropies for Splice belong to another classifier than the
  notebook's: with l2 = 10 the full-data predictions have an entropy of 22 (×100), so nothing can print 69 at 20 %. A penalty
  twenty times as strong gives them: with l2 = 200 mean imputation has 68.6 74.2 81.7 91.3 where the paper prints 69.2 74.7 82.4 92.3.
- **Adult**: the authors cut numbers into five one-hot bins, leave fnlwgt out (13 groups, 138 bits) and divide train and test rows anew;
  the paper's text describes one bit per number, which is what "Adult" above has, with UCI's own test rows. Its cross entropies
  come in the paper's order at every rate. "The authors' encoding" uses the rows of theirs that are published, their 9,769 test rows, divided
  80:20, so its classifier saw a fifth of their training rows. It gives their weighted F1 to about one point, and shows where min and max come from: where every column is a
  one-hot group they coincide and gain on the others at 60 and 80 %, as in the paper's F1; with a bit per number they do not. The paper's cross
  entropies have min and max far apart, so they were made with another encoding or classifier than its F1.
- **CovType** here is a sample of 92,962 of the 581,012 rows. The authors cut numbers into six bins (104 bits) and their list of groups
  mixes up the columns: ten groups of stride 10 that overlap the two categorical ones. So what "20 %" removes differs, and the printed
  numbers cannot be had from the description; the authors' own result files disagree with the printed table as well (NaCL at two missing groups:
  cross entropy 0.72 against the table's 0.126). In both, as here, NaCL is first and max last at every rate; between them min,
  mean and median are within a few points and change places.
- **Nearest neighbours** use 10 neighbours among 2,000 random training rows (300 on images), and on images EM, chained equations and nearest
  neighbours run only at 8 missing pixels: they solve or search per row. The reduced models (one classifier per pattern of gaps)
  run where one column is missing.`;
