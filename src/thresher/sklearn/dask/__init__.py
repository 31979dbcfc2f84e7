"""The scikit-learn door for data in partitions: Dask arrays, frames and bags."""

from thresher.sklearn.dask.classifier import DaskClassifier

__all__ = ["DaskClassifier"]
