"""Reads development triangles with chainladder and prints per file what it understood as JSON: grain, origins, valuation date and cells."""

import json
import sys

import chainladder as cl
import pandas as pd


def read(path):
    rows = pd.read_csv(path)
    triangle = cl.Triangle(
        rows[rows["currency"] == "KES"],
        origin="origin",
        development="development",
        columns=["settled"],
        cumulative=True,
    )
    # chainladder has NaN where a value is zero or missing; the JSON then has null.
    cells = [[None if pd.isna(value) else value for value in row] for row in triangle.to_frame().to_numpy()]
    return {
        "grain": triangle.origin_grain + triangle.development_grain,
        "origins": [str(origin.start_time.date()) for origin in triangle.origin],
        "valuation": str(triangle.valuation_date.date()),
        "cells": cells,
    }


print(json.dumps([read(path) for path in sys.argv[1:]]))
