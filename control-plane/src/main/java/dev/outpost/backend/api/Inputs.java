package dev.outpost.backend.api;

import dev.outpost.backend.fleet.ClusterCapacity;
import dev.outpost.backend.store.sql.Sql;
import java.time.Instant;
import java.util.List;
import java.util.Objects;
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

    /** Checks the SHA-256 of a program's file. */
    public static String programHash(String hash) {
        if (hash == null || !hash.matches("[0-9a-f]{64}")) {
            throw Problem.invalid("sha256: expected the 64 lower-case hex digits of the program's SHA-256");
        }
        return hash;
    }

    /** Checks the path of a file that a run uploads. Terminals and logs show it, so it may have no control characters. */
    public static String artefactPath(String path) {
        if (path.isBlank()
                || path.length() > Bounds.ARTEFACT_PATH
                || path.chars().anyMatch(Character::isISOControl)) {
            throw Problem.invalid("path: expected 1 to " + Bounds.ARTEFACT_PATH + " printable characters");
        }
        return path;
    }

    /** Checks that a whole number is from {@code least} to {@code most}. */
    public static int within(String what, int number, int min, int max) {
        if (number < min || number > max) {
            throw Problem.invalid(what + ": expected " + min + " to " + max + ", got " + number);
        }
        return number;
    }

    /** Checks that a list has at most {@code most} items and no null. An absent list counts as empty. */
    public static <T> List<T> few(String what, List<T> items, int max) {
        List<T> all = items == null ? List.of() : items;
        if (all.size() > max || all.stream().anyMatch(Objects::isNull)) {
            throw Problem.invalid(what + ": expected up to " + max + ", and none of them null, got " + all.size());
        }
        return all;
    }

    /** Checks a time of a query by the bounds of times of bodies. */
    public static Instant time(String what, Instant time) {
        if (time.isBefore(Bounds.EARLIEST) || time.isAfter(Bounds.LATEST)) {
            throw Problem.invalid(
                    what + ": expected a time from " + Bounds.EARLIEST + " to " + Bounds.LATEST + ", got another one");
        }
        return time;
    }

    /** Checks that some cluster has this kind of GPU. The cluster may be full now. */
    public static void requireGpu(Sql sql, String gpu) {
        ClusterCapacity.of(sql).impossible(gpu).ifPresent(why -> {
            throw Problem.of(Problem.Code.GPU_NOT_HERE, why);
        });
    }

    public static UUID uuid(String text) {
        if (!text.matches("[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}")) {
            throw Problem.invalid("id: expected a UUID in lower case that the client draws, got something else");
        }
        return UUID.fromString(text);
    }
}
