"""The report as JSON, for programs.

Every estimate is an object with `value`, `low`, `high`, `pairs`, `confidence` and `remark`, as `Estimate.as_json`
writes it: null where there is nothing to say, "inf" and "-inf" for an infinite Elo. `pairs` are its units: pairs for an
encounter, rounds for an engine. Shares and probabilities are from 0 to 1, times in milliseconds.

    report       1, the version of these keys
    version      the runner that began the match
    match        rules, options, mode, schedule, seed, start {totals, bags}, forfeit
    pairs        done, planned
    boards, hands  how many were played, and scored
    timed        pairs of which the timing file tells
    outcomes     by outcome: boards, by_engine {name: boards}
    forfeits     boards that ended by a fault
    faults       the first of them: pair, board (1 or 2), outcome, engine, detail, last_words (on standard error)
    damage       what the timing file has that makes no sense, and was left out
    encounters   a list:
        engines          [first, second]; everything is seen from the first
        pairs            done, planned
        hands, forfeits, points [first, second]
        points_per_hand, normalised_elo    estimates
        superiority      probability that the first is the better, or null
        games            null with single hands, or: wins, draws, losses; pentanomial {ll, ld, dd, wl, wd, ww};
                         pairs_ratio; estimates score, win_rate, draw_rate, elo
        sprt             null, or: nelo0, nelo1, alpha, beta, llr, lower, upper, pairs, state;
                         decision {llr, pairs, state} or null
        lead             [[hands, points ahead], ...], thinned out
        running          [[pairs, value, low, high], ...], thinned out: points per hand, or the score of games
    engines      a list:
        name, id, command, options, limits, fresh    as in the results file
        forfeits         boards it lost by its fault
        standing         pairs, hands, wins, draws, losses; estimates points_per_hand, score, elo (null: single hands)
        bids             all and by_bid: rows of bid, hands, made, set, mean_bid; estimates made_rate, tricks_over,
                         bags_per_hand
        bags_per_hand    estimate over all hands
        nils             nil and blind_nil: bid, made, set, points; estimates success, points_per_nil
        predictions      making and winning: count, brier, brier_of_base_rate, calibration_error; estimate bias;
                         rows of low, high, count, happened, mean_predicted; estimate observed. unusable: how many
                         figures were no probability
        times            all and by_phase {phase: ...}: decisions, median, mean, p95, max
"""

from __future__ import annotations

import json
from typing import Any

from spades_match.report.model import (
    EncounterReport,
    EngineReport,
    GamesReport,
    MatchReport,
    SprtReport,
    Standing,
)
from spades_match.report.sums import Sketch
from spades_match.statistics import BidRow, Estimate, NilRow, Reliability
from spades_match.statistics.estimate import json_number

VERSION = 1


def format_json(report: MatchReport) -> str:
    """Return the report as one JSON object with the keys of this module's description, ending in a line break."""
    plan = report.plan
    raw = {
        "report": VERSION,
        "version": report.version,
        "match": {
            "rules": plan.rules,
            "options": dict(plan.options),
            "mode": plan.mode,
            "schedule": plan.schedule,
            "seed": plan.seed,
            "start": {"totals": list(plan.totals), "bags": list(plan.bags)},
            "forfeit": plan.forfeit,
        },
        "pairs": {"done": report.pairs, "planned": plan.total},
        "boards": report.boards,
        "hands": report.hands,
        "timed": report.timed,
        "outcomes": {
            row.outcome.value: {"boards": row.boards, "by_engine": dict(row.by_engine)} for row in report.outcomes
        },
        "forfeits": report.forfeits,
        "faults": [
            {
                "pair": note.pair,
                "board": note.board,
                "outcome": note.outcome.value,
                "engine": note.engine,
                "detail": note.detail,
                "last_words": note.last_words,
            }
            for note in report.faults
        ],
        "damage": list(report.damage),
        "encounters": [_encounter(encounter) for encounter in report.encounters],
        "engines": [_engine(engine) for engine in report.engines],
    }
    return json.dumps(raw, indent=2, allow_nan=False) + "\n"


def _encounter(encounter: EncounterReport) -> dict[str, Any]:
    return {
        "engines": [encounter.first, encounter.second],
        "pairs": {"done": encounter.pairs, "planned": encounter.planned},
        "hands": encounter.hands,
        "forfeits": encounter.forfeits,
        "points": list(encounter.points),
        "points_per_hand": encounter.points_per_hand.as_json(),
        "normalised_elo": encounter.nelo.as_json(),
        "superiority": encounter.superiority,
        "games": None if encounter.games is None else _games(encounter.games),
        "sprt": None if encounter.sprt is None else _sprt(encounter.sprt),
        "lead": [list(point) for point in encounter.lead],
        "running": [
            [pairs, *(json_number(number) for number in (value.value, value.low, value.high))]
            for pairs, value in encounter.running
        ],
    }


def _games(games: GamesReport) -> dict[str, Any]:
    results = games.results
    return {
        "wins": results.wins,
        "draws": results.draws,
        "losses": results.losses,
        "pentanomial": {name: getattr(results, name) for name in ("ll", "ld", "dd", "wl", "wd", "ww")},
        "pairs_ratio": json_number(results.pairs_ratio),
        "score": games.score.as_json(),
        "win_rate": games.win_rate.as_json(),
        "draw_rate": games.draw_rate.as_json(),
        "elo": games.elo.as_json(),
    }


def _sprt(test: SprtReport) -> dict[str, Any]:
    design, status, decision = test.design, test.status, test.decision
    return {
        "nelo0": design.nelo0,
        "nelo1": design.nelo1,
        "alpha": design.alpha,
        "beta": design.beta,
        "llr": status.llr,
        "lower": status.lower,
        "upper": status.upper,
        "pairs": status.units,
        "state": test.verdict.name.lower(),
        "decision": None
        if decision is None
        else {"llr": decision.llr, "pairs": decision.units, "state": decision.state.name.lower()},
    }


def _engine(engine: EngineReport) -> dict[str, Any]:
    by_phase = {phase: _times(sketch) for phase, sketch in engine.times.items()}
    return {
        "name": engine.name,
        "id": engine.id,
        **{key: value for key, value in engine.spec.as_json().items() if key != "name"},
        "forfeits": engine.forfeits,
        "standing": _standing(engine.standing),
        "bids": {"all": _bid(engine.calibration.total), "by_bid": [_bid(row) for row in engine.calibration.by_bid]},
        "bags_per_hand": engine.bags_per_hand.as_json(),
        "nils": {"nil": _nil(engine.nils.nil), "blind_nil": _nil(engine.nils.blind_nil)},
        "predictions": {
            "making": _reliability(engine.making),
            "winning": _reliability(engine.winning),
            "unusable": engine.unusable,
        },
        "times": {"all": _times(engine.time), "by_phase": by_phase},
    }


def _standing(standing: Standing) -> dict[str, Any]:
    return {
        "pairs": standing.pairs,
        "hands": standing.hands,
        "wins": standing.wins,
        "draws": standing.draws,
        "losses": standing.losses,
        "points_per_hand": standing.points_per_hand.as_json(),
        "score": _or_null(standing.score),
        "elo": _or_null(standing.elo),
    }


def _or_null(estimate: Estimate | None) -> dict[str, Any] | None:
    return None if estimate is None else estimate.as_json()


def _bid(row: BidRow) -> dict[str, Any]:
    return {
        "bid": row.bid,
        "hands": row.hands,
        "made": row.made,
        "set": row.set,
        "mean_bid": row.mean_bid,
        "made_rate": row.made_rate.as_json(),
        "tricks_over": row.tricks_over.as_json(),
        "bags_per_hand": row.bags_per_hand.as_json(),
    }


def _nil(row: NilRow) -> dict[str, Any]:
    return {
        "bid": row.bid,
        "made": row.made,
        "set": row.set,
        "points": row.points,
        "success": row.success.as_json(),
        "points_per_nil": row.points_per_nil.as_json(),
    }


def _reliability(table: Reliability) -> dict[str, Any]:
    return {
        "count": table.count,
        "brier": table.brier,
        "brier_of_base_rate": table.brier_of_base_rate,
        "calibration_error": table.calibration_error,
        "bias": table.bias.as_json(),
        "rows": [
            {
                "low": row.low,
                "high": row.high,
                "count": row.count,
                "happened": row.happened,
                "mean_predicted": row.mean_predicted,
                "observed": row.observed.as_json(),
            }
            for row in table.rows
        ],
    }


def _times(sketch: Sketch) -> dict[str, Any]:
    return {
        "decisions": sketch.count,
        "median": sketch.quantile(0.5),
        "mean": sketch.mean,
        "p95": sketch.quantile(0.95),
        "max": sketch.greatest if sketch.count else None,
    }
