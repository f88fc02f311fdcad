-- The secrets of its project that a machine's sources are given, by their names.
CREATE TABLE machine_secrets (
    machine uuid NOT NULL REFERENCES machines,
    name    text NOT NULL,
    PRIMARY KEY (machine, name)
);
