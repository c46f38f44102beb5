# Features -------------------------------------------------------------------------------------------------------------
# A number that is computed from one column: a line through it, or a value for each of its categories or bins.


class Number:
    """shift + slope · x, with the computation itself, so that roundings are those of the steps."""

    def __init__(self, column, is_bit=False, slope=1.0, shift=0.0, compute=lambda x: x):
        self.column, self.is_bit, self.slope, self.shift, self.compute = column, is_bit, slope, shift, compute

    @property
    def is_raw(self):
        return self.slope == 1 and self.shift == 0

    def line(self, slope, shift, compute):
        own = self.compute
        return Number(self.column, self.is_bit, slope * self.slope, slope * self.shift + shift, lambda x: compute(own(x)))

    def map(self, function, why):
        """Any function, which is a line where the column has two values."""
        if not self.is_bit:
            raise NotExportable(f"{why}, but column {self.column!r} is a number")
        low, high = (float(function(self.compute(np.float64(bit)))) for bit in (0, 1))
        return Number(self.column, True, high - low, low, lambda x: np.where(x == 1, high, low))

    def edge(self, value):
        """The smallest number whose feature is at least a value."""
        if self.is_raw:
            return float(value)
        return float(np.nextafter(_largest(lambda x: self.compute(x) < value, 1)[0], np.inf))


class Categories:
    """A value for each category of a column, and one for all others."""

    def __init__(self, column, values, other=0.0):
        self.column, self.values, self.other = column, values, other

    def line(self, slope, shift, compute):
        return self.map(lambda x: float(compute(np.float64(x))), "")

    def map(self, function, why):
        values = {category: float(function(value)) for category, value in self.values.items()}
        return Categories(self.column, values, float(function(self.other)))


class Bins:
    """A value for each bin of a number; an edge belongs to the bin above it."""

    def __init__(self, column, edges, values):
        self.column, self.edges, self.values = column, edges, values

    def line(self, slope, shift, compute):
        return self.map(lambda x: float(compute(np.float64(x))), "")

    def map(self, function, why):
        return Bins(self.column, self.edges, [float(function(value)) for value in self.values])


def _largest(is_true, count):
    """For each of so many numbers the largest double for which something is true that is true up to there, by bisection."""
    most = 2**63 - 2**52 - 1  # doubles in the order of integers, the largest
    low, high = np.full(count, -most), np.full(count, most)

    def number(order):
        return np.copysign(np.abs(order).view(np.float64), order)

    with np.errstate(all="ignore"):
        while (low < high).any():
            middle = (low >> 1) + (high >> 1) + ((low | high) & 1)
            true = is_true(number(middle))
            low, high = np.where(true, middle, low), np.where(true, high, np.maximum(middle - 1, low))
        return number(low)
