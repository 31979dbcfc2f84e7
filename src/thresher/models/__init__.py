"""What survives the process: model files."""

from thresher.models.file import load, load_model, save_model
from thresher.models.history import Source, Training, data_digest
from thresher.models.model import Model

__all__ = ["Model", "Source", "Training", "data_digest", "load", "load_model", "save_model"]
