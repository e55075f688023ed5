"""Tests a vision-language judge on counterfactual picture pairs with exact truth."""

__version__ = "0.1.0"
