package dev.outpost.backend.store.job;

import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.sql.Sql;
import java.security.GeneralSecurityException;
import java.security.MessageDigest;
import java.time.Instant;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** The table of programs, by organisation and hash. */
public final class FileRows {
    private static final int SLICE = 4 << 20;

    private FileRows() {}

    /** A program, which can be run once it is complete. */
    public record Stored(String sha256, long size, boolean isComplete, UUID content) {}

    public static Optional<Stored> find(Sql sql, String organisation, String sha256) {
        return sql.one("SELECT * FROM files WHERE organisation = ? AND sha256 = ?", Stored.class, organisation, sha256);
    }

    /**
     * Returns the program with this hash, makes it if it does not exist, and locks it until the end of the
     * transaction.
     */
    public static Stored make(Sql sql, String organisation, String sha256, long size) {
        if (find(sql, organisation, sha256).isEmpty()) {
            sql.update(
                    "INSERT INTO files (organisation, sha256, size, content) VALUES (?, ?, ?, ?)"
                            + " ON CONFLICT (organisation, sha256) DO NOTHING",
                    organisation,
                    sha256,
                    size,
                    ContentRows.create(sql, organisation));
        }
        return sql.one(
                        "SELECT * FROM files WHERE organisation = ? AND sha256 = ? FOR UPDATE",
                        Stored.class,
                        organisation,
                        sha256)
                .orElseThrow();
    }

    public static void complete(Sql sql, String organisation, String sha256) {
        sql.update("UPDATE files SET complete = true WHERE organisation = ? AND sha256 = ?", organisation, sha256);
    }

    /** Deletes a file whose content does not match its SHA-256. */
    public static void remove(Sql sql, String organisation, Stored file) {
        sql.update("DELETE FROM files WHERE organisation = ? AND sha256 = ?", organisation, file.sha256());
        ContentRows.delete(sql, List.of(file.content()));
    }

    /** Returns the SHA-256 of the stored bytes, in hex. */
    public static String hash(Sql sql, Stored file) {
        try {
            MessageDigest digest = MessageDigest.getInstance("SHA-256");
            long at = 0;
            while (at < file.size()) {
                ContentRows.Slice slice = ContentRows.read(sql, file.content(), at, SLICE);
                if (slice.bytes().length == 0) {
                    break;
                }
                digest.update(slice.bytes());
                at = slice.next();
            }
            return HexFormat.of().formatHex(digest.digest());
        } catch (GeneralSecurityException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    /** Checks old programs, the oldest first, and removes those to which no job, schedule or deployment refers. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        record Old(String organisation, String sha256, UUID content, Instant created, boolean isUsed) {}
        List<Old> old = sql.query(
                "SELECT f.*, EXISTS (SELECT 1 FROM jobs j WHERE j.organisation = f.organisation AND j.program = f.sha256)"
                        + " OR EXISTS (SELECT 1 FROM schedules s WHERE s.organisation = f.organisation AND s.program = f.sha256)"
                        + " OR EXISTS (SELECT 1 FROM deployment_revisions r WHERE r.organisation = f.organisation"
                        + " AND r.model = 'program:' || f.sha256) AS used"
                        + " FROM files f WHERE f.created_at >= ? AND f.created_at < ? ORDER BY f.created_at LIMIT ?"
                        + " FOR UPDATE OF f SKIP LOCKED",
                Old.class,
                span.from(),
                span.before(),
                span.limit());
        List<Old> unused = old.stream().filter(file -> !file.isUsed()).toList();
        for (Old file : unused) {
            sql.update("DELETE FROM files WHERE organisation = ? AND sha256 = ?", file.organisation(), file.sha256());
        }
        ContentRows.delete(sql, unused.stream().map(Old::content).toList());
        boolean isFurther =
                !unused.isEmpty() || !old.isEmpty() && old.getLast().created().isAfter(span.from());
        return isFurther ? new Retention.Step(old.size(), old.getLast().created()) : new Retention.Step(0, span.from());
    }
}
