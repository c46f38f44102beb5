"""The paper's geometric program, posed literally and solved by CVXOPT: the peer of conform. Reads JSON, prints JSON.

Variables: log P(k), log P(x_i = 1 | k), log P(x_i = 0 | k). Monomial objective, monomial equalities for the weights of each
class against those of class 0, sums to one relaxed to at most one.
"""
import json, sys, time
import numpy as np
from cvxopt import matrix, solvers, spmatrix

task = json.load(sys.stdin)
W, counts, ones = (np.array(task[key], float) for key in ("weights", "classCounts", "onesPerClass"))
K, n = ones.shape
rows, pseudocount = counts.sum(), 1.0
one = K + np.arange(K * n).reshape(K, n)
zero = one + K * n

objective = np.concatenate([counts + pseudocount, (ones + pseudocount).ravel(), (counts[:, None] - ones + pseudocount).ravel()])
groups = [list(range(K))] + [[one[k, i], zero[k, i]] for k in range(K) for i in range(n)]
F_rows, F_columns, F_values = [0] * len(objective), list(range(len(objective))), list(-objective / rows)
for group in groups:
    for variable in group:
        F_rows.append(max(F_rows) + 1 if F_rows[-1] else 1)
        F_columns.append(variable)
        F_values.append(1.0)

A, b = [], []
for k in range(1, K):
    for i in range(n):
        A.append({one[k, i]: -1.0, zero[k, i]: 1.0, one[0, i]: 1.0, zero[0, i]: -1.0})
        b.append(W[0, i + 1] - W[k, i + 1])
    A.append({k: -1.0, 0: 1.0, **{zero[k, i]: -1.0 for i in range(n)}, **{zero[0, i]: 1.0 for i in range(n)}})
    b.append(W[0, 0] - W[k, 0])

def sparse(triplets, shape):
    values, r, c = zip(*triplets)
    return spmatrix(values, [int(x) for x in r], [int(x) for x in c], shape)

size = len(objective)
F = sparse(list(zip(F_values, F_rows, F_columns)), (max(F_rows) + 1, size))
G = sparse([(v, r, c) for r, row in enumerate(A) for c, v in row.items()], (len(A), size))
solvers.options["show_progress"] = False
start = time.perf_counter()
solution = solvers.gp([1] + [len(g) for g in groups], F, matrix(0.0, (max(F_rows) + 1, 1)), A=G, b=matrix(b))
seconds = time.perf_counter() - start
assert solution["status"] == "optimal", solution["status"]
print(json.dumps({"seconds": seconds}))
