"""The report of a match: `gather` reads it; `format_text`, `format_json` and `format_page` write it.

Only the page needs libraries, and loads them when it is written.
"""

from spades_match.report.gathering import gather
from spades_match.report.json_text import format_json
from spades_match.report.model import MatchReport
from spades_match.report.page import format_page
from spades_match.report.text import format_text

__all__ = ["MatchReport", "format_json", "format_page", "format_text", "gather"]
