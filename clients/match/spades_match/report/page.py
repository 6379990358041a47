"""The report as one page that needs nothing but itself."""

from __future__ import annotations

from importlib.resources import files

from spades_match.outcomes import MatchError
from spades_match.report.document import sections, title
from spades_match.report.model import MatchReport
from spades_match.report.svg import PALETTE
from spades_match.words import plain

INSTALL = "pip install 'spades-engine[match]'"


def format_page(report: MatchReport) -> str:
    """Return the report as an HTML page. Raises MatchError, with the remedy, where jinja2 or matplotlib is missing.

    Whatever the results file says is text on the page, never markup.
    """
    try:
        # Late: the rest of the runner does without them, and they take longer to load than it does.
        import jinja2

        from spades_match.report.plots import DRAWN, draw
    except ImportError as error:
        raise MatchError(f"the report as a page needs {error.name}, which is not installed: {INSTALL}") from None
    environment = jinja2.Environment(
        autoescape=True, undefined=jinja2.StrictUndefined, trim_blocks=True, lstrip_blocks=True
    )
    environment.filters["plain"] = plain
    template = environment.from_string(files("spades_match.report").joinpath("page.html").read_text("utf-8"))
    places = {engine.name: place % PALETTE for place, engine in enumerate(report.engines)}
    return template.render(
        title=title(report), sections=list(sections(report)), plots=draw(report), drawn=DRAWN, places=places
    )
