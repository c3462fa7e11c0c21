"""Numbers: cut free, read by Tesseract from one sheet, weighed by a judge of shapes."""
