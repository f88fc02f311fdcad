-- The kind of GPU that a machine was given, where it asked for any or for a family such as A100. Prices and quotas go by it.
ALTER TABLE machines ADD COLUMN kind text;
