"""Reads development triangles with chainladder and prints their ultimates and Mack standard errors as JSON, per file and measure."""

import json
import sys

import chainladder as cl
import pandas as pd


def numbers(triangle):
    # chainladder has NaN where a value is zero or missing; the JSON then has null.
    return [[None if pd.isna(value) else float(value) for value in row] for row in triangle.to_frame().to_numpy()]


def read(path, measures):
    triangle = cl.Triangle(
        pd.read_csv(path), origin="origin", development="development", columns=measures, cumulative=True
    )
    result = {"grain": triangle.origin_grain + triangle.development_grain, "measures": {}}
    for measure in measures:
        mack = cl.MackChainladder().fit(triangle[measure])
        result["measures"][measure] = {
            "values": numbers(triangle[measure]),
            "chainladder": numbers(cl.Chainladder().fit(triangle[measure]).ultimate_),
            "mack": numbers(mack.ultimate_),
            "standard_error": float(mack.total_mack_std_err_.to_numpy().flatten()[0]),
        }
    return result


measures = sys.argv[1].split(",")
print(json.dumps([read(path, measures) for path in sys.argv[2:]]))
