"""The normal distribution from a table: equal to the last digit on every machine, as a mathematics library is not."""

from __future__ import annotations

_STEPS = 16
"""Entries a unit; read between them by straight lines the table is right to 0.00012."""

# The cumulative distribution at 0, 1/16, 2/16, ... 5.
_TABLE = (
    0.5000000, 0.5249177, 0.5497382, 0.5743657, 0.5987063, 0.6226697, 0.6461698, 0.6691256, 0.6914625,
    0.7131123, 0.7340145, 0.7541161, 0.7733726, 0.7917476, 0.8092130, 0.8257493, 0.8413447, 0.8559956,
    0.8697055, 0.8824848, 0.8943502, 0.9053243, 0.9154343, 0.9247120, 0.9331928, 0.9409149, 0.9479187,
    0.9542464, 0.9599408, 0.9650455, 0.9696036, 0.9736579, 0.9772499, 0.9804199, 0.9832067, 0.9856470,
    0.9877755, 0.9896249, 0.9912255, 0.9926054, 0.9937903, 0.9948039, 0.9956676, 0.9964005, 0.9970202,
    0.9975421, 0.9979799, 0.9983456, 0.9986501, 0.9989025, 0.9991110, 0.9992825, 0.9994230, 0.9995377,
    0.9996309, 0.9997064, 0.9997674, 0.9998163, 0.9998555, 0.9998868, 0.9999116, 0.9999312, 0.9999467,
    0.9999588, 0.9999683, 0.9999757, 0.9999815, 0.9999859, 0.9999893, 0.9999919, 0.9999939, 0.9999954,
    0.9999966, 0.9999975, 0.9999981, 0.9999986, 0.9999990, 0.9999993, 0.9999995, 0.9999996, 0.9999997,
)  # fmt: skip
_LAST = len(_TABLE) - 1


def normal_cdf(x: float) -> float:
    """The probability that a standard normal variable is below `x`, within 0.00012."""
    at = (x if x >= 0.0 else -x) * _STEPS
    if at >= _LAST:
        above = _TABLE[_LAST]
    else:
        index = int(at)
        low = _TABLE[index]
        above = low + (_TABLE[index + 1] - low) * (at - index)
    return above if x >= 0.0 else 1.0 - above
