-- The latest time that a replica has read from this database's clock. A time before it says that the clock has gone back.
CREATE TABLE clock (
    one     boolean PRIMARY KEY DEFAULT true CHECK (one),
    seen_at timestamptz NOT NULL
);
