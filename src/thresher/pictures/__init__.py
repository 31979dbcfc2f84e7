"""Pictures and tables for people who look: SVG and HTML as text, from the standard library alone.

The lowest room of the house: every room above may show itself with it, and imports it when it is
asked to. Nothing is computed here but where things are drawn, and nothing here runs as a script.
"""

from thresher.pictures.bars import Bar, bars
from thresher.pictures.chart import Chart, Line
from thresher.pictures.curve import MOST_POINTS, thinned
from thresher.pictures.names import shown
from thresher.pictures.notebook import display, sparkline
from thresher.pictures.svg import Svg

__all__ = [
    "MOST_POINTS",
    "Bar",
    "Chart",
    "Line",
    "Svg",
    "bars",
    "display",
    "shown",
    "sparkline",
    "thinned",
]
