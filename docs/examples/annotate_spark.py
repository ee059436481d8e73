"""Annotate texts with Spark: spark-submit annotate_spark.py INPUT.parquet OUTPUT [tag|parse [MODEL]]"""

from __future__ import annotations

import sys
from collections.abc import Iterator
from functools import cache

import pandas
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from ccgkit.batch import Annotator, arrow_schema


def main(source: str, target: str, task: str = "parse", model: str | None = None) -> None:
    spark = SparkSession.builder.appName("ccgkit").getOrCreate()
    annotator = Annotator(model, task)

    def annotate(frames: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        return map(loaded(annotator.task, model), frames)

    texts = spark.read.parquet(source)
    texts.mapInPandas(annotate, from_arrow_schema(arrow_schema())).write.parquet(target)


@cache
def loaded(task: str, model: str | None) -> Annotator:
    """The model, once for each Python process of Spark."""
    return Annotator(model, task)


if __name__ == "__main__":
    main(*sys.argv[1:])
