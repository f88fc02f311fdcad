package dev.outpost.backend.api;

import java.util.UUID;

/** Checks of bodies and ids that all resources share. */
public final class Inputs {
    private Inputs() {}

    public static <T> T required(T body) {
        if (body == null) {
            throw Problem.of(Problem.Code.BAD_REQUEST, "body: expected a JSON object, got nothing");
        }
        return body;
    }

    /** The SHA-256 of a program's file. */
    public static String programHash(String hash) {
        if (hash == null || !hash.matches("[0-9a-f]{64}")) {
            throw Problem.invalid("sha256: expected the 64 lower-case hex digits of the program's SHA-256");
        }
        return hash;
    }

    public static UUID uuid(String text) {
        if (!text.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
            throw Problem.invalid("id: expected a UUID in lower case that the client draws, got something else");
        }
        return UUID.fromString(text);
    }
}
