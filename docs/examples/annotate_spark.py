"""Annotate texts with Spark: spark-submit annotate_spark.py INPUT.parquet OUTPUT [tag|parse [MODEL]]"""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pandas
from pyspark.sql import SparkSession
from pyspark.sql.pandas.types import from_arrow_schema

from ccgkit.batch import Annotator, arrow_schema


def main(source: str, target: str, task: str = "parse", model: str | None = None) -> None:
    spark = SparkSession.builder.appName("ccgkit").getOrCreate()
    annotator = Annotator(model, task)  # each Python process of Spark loads the model once

    def annotate(frames: Iterator[pandas.DataFrame]) -> Iterator[pandas.DataFrame]:
        return map(annotator, frames)

    texts = spark.read.parquet(source)
    texts.mapInPandas(annotate, from_arrow_schema(arrow_schema())).write.parquet(target)


if __name__ == "__main__":
    main(*sys.argv[1:])
