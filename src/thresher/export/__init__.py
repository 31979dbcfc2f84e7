"""Models in forms that others read: text, JSON, C, JavaScript, ONNX, SQL and rules."""

from thresher.export.agreement import Agreement, agreement
from thresher.export.c_header import to_c
from thresher.export.exported import FORMS, Export, exported
from thresher.export.js_module import to_js
from thresher.export.json_document import to_json
from thresher.export.onnx_graph import to_onnx
from thresher.export.rule import Rule, rule_of
from thresher.export.sql import to_sql
from thresher.export.sql_rule import rule_to_sql
from thresher.export.text import to_text
from thresher.models.linear_form import form_of

__all__ = [
    "FORMS",
    "Agreement",
    "Export",
    "Rule",
    "agreement",
    "exported",
    "form_of",
    "rule_of",
    "rule_to_sql",
    "to_c",
    "to_js",
    "to_json",
    "to_onnx",
    "to_sql",
    "to_text",
]
