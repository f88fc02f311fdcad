-- A membership that groups of an issuer give holds for a time after each login; one that an administrator made, without end.
ALTER TABLE members ADD COLUMN expires_at timestamptz;
