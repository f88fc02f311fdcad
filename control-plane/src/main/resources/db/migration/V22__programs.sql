-- What a file is that was published as a program: the types of its inputs and outputs. The endpoint itself is a deployment whose
-- model is program:SHA256.
CREATE TABLE programs (
    organisation text NOT NULL,
    sha256       text NOT NULL,
    inputs       text[] NOT NULL,
    outputs      text[] NOT NULL,
    most_rows    int NOT NULL CHECK (most_rows >= 0),
    PRIMARY KEY (organisation, sha256),
    FOREIGN KEY (organisation, sha256) REFERENCES files ON DELETE CASCADE
);
