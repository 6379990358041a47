"""Statistics of a match: pure functions over pairs, with intervals that say what was measured.

Points of single hands: `points_per_hand`, `normalised_elo_of_points`, `superiority_of_points`, `sprt_of_points`.
Results of games: count them in a `Pentanomial` (`Trinomial` for games without a counterpart), then `score_rate`,
`win_rate`, `draw_rate`, `elo`, `normalised_elo`, `likelihood_of_superiority`, `sprt`. Bids: `bid_calibration`,
`nil_ledger`, `reliability`. Everything is seen from one engine's side, and `reversed` gives the other's.

Only the standard library is used: of what scipy offers, Student's distribution alone would be wanted, for two hundred
megabytes and half a second or more at every start.
"""

from spades_match.statistics.bidding import (
    BidCalibration,
    BidRow,
    ContractHand,
    NilHand,
    NilLedger,
    NilRow,
    bid_calibration,
    nil_ledger,
)
from spades_match.statistics.elo import (
    NELO_PER_DEVIATION,
    deviations_of_nelo,
    elo,
    elo_of_score,
    likelihood_of_superiority,
    nelo_of_deviations,
    normalised_elo,
    normalised_elo_of_points,
    score_of_elo,
    superiority_of_points,
)
from spades_match.statistics.estimate import (
    CONFIDENCE,
    Estimate,
    Moments,
    RatioSums,
    Remark,
    format_estimate,
    mean_estimate,
    points_per_hand,
    ratio_estimate,
    share_estimate,
)
from spades_match.statistics.reliability import Prediction, Reliability, ReliabilityRow, reliability
from spades_match.statistics.results import (
    GameResult,
    Pentanomial,
    Results,
    Trinomial,
    draw_rate,
    score_moments,
    score_rate,
    win_rate,
)
from spades_match.statistics.sprt import (
    SprtDesign,
    SprtState,
    SprtStatus,
    acceptance_probability,
    expected_units,
    first_decision,
    log_likelihood_ratio,
    sprt,
    sprt_of_points,
)
from spades_match.statistics.student import t_distribution, t_quantile

__all__ = [
    "CONFIDENCE",
    "NELO_PER_DEVIATION",
    "BidCalibration",
    "BidRow",
    "ContractHand",
    "Estimate",
    "GameResult",
    "Moments",
    "NilHand",
    "NilLedger",
    "NilRow",
    "Pentanomial",
    "Prediction",
    "RatioSums",
    "Reliability",
    "ReliabilityRow",
    "Remark",
    "Results",
    "SprtDesign",
    "SprtState",
    "SprtStatus",
    "Trinomial",
    "acceptance_probability",
    "bid_calibration",
    "deviations_of_nelo",
    "draw_rate",
    "elo",
    "elo_of_score",
    "expected_units",
    "first_decision",
    "format_estimate",
    "likelihood_of_superiority",
    "log_likelihood_ratio",
    "mean_estimate",
    "nelo_of_deviations",
    "nil_ledger",
    "normalised_elo",
    "normalised_elo_of_points",
    "points_per_hand",
    "ratio_estimate",
    "reliability",
    "score_moments",
    "score_of_elo",
    "score_rate",
    "share_estimate",
    "sprt",
    "sprt_of_points",
    "superiority_of_points",
    "t_distribution",
    "t_quantile",
    "win_rate",
]
