"""What survives the process: model files."""

from thresher.storage.history import Source, Training, data_digest
from thresher.storage.model import Model
from thresher.storage.model_file import load, load_model, save_model

__all__ = ["Model", "Source", "Training", "data_digest", "load", "load_model", "save_model"]
