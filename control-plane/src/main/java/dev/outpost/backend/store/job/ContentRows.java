package dev.outpost.backend.store.job;

import dev.outpost.backend.store.Retention;
import dev.outpost.backend.store.sql.Sql;
import dev.outpost.backend.store.usage.TotalCounting;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.Collectors;

/**
 * The tables of contents. A content is a sequence of bytes that only grows at its end, so that a sender or a reader
 * can continue from an offset.
 */
public final class ContentRows {
    /** The first schema version that records the owners of contents. */
    public static final int SCHEMA = 45;

    private ContentRows() {}

    /** Sets the owners of contents, as the migration does. */
    public static void setOrganisations(Sql sql) {
        sql.update("UPDATE contents c SET organisation = f.organisation FROM files f WHERE f.content = c.id");
        sql.update("UPDATE contents c SET organisation = j.organisation FROM job_attempts a JOIN jobs j ON j.id = a.job"
                + " WHERE a.log = c.id");
        sql.update(
                "UPDATE contents c SET organisation = j.organisation FROM job_artefacts a JOIN jobs j ON j.id = a.job"
                        + " WHERE a.content = c.id");
    }

    /** The bytes that were read, the offset after them, and the size of the content. */
    public record Slice(byte[] bytes, long next, long size) {}

    /** Makes an empty content. */
    public static UUID create(Sql sql, String organisation) {
        UUID id = UUID.randomUUID();
        sql.update("INSERT INTO contents (id, organisation) VALUES (?, ?)", id, organisation);
        return id;
    }

    /**
     * Adds bytes that begin at an offset. Stored bytes are never changed, so sending them again does no harm.
     *
     * @return the size of the content after the call; if the size is less than {@code from}, nothing was added
     */
    public static long append(Sql sql, UUID content, long from, byte[] bytes) {
        long size = sql.one("SELECT size FROM contents WHERE id = ? FOR UPDATE", Long.class, content)
                .orElseThrow(() -> new IllegalStateException("there is no content " + content));
        if (from > size || from + bytes.length <= size) {
            return size;
        }
        int known = (int) (size - from);
        byte[] added = known == 0 ? bytes : java.util.Arrays.copyOfRange(bytes, known, bytes.length);
        sql.update("INSERT INTO content_parts (content, at, bytes) VALUES (?, ?, ?)", content, size, added);
        sql.update("UPDATE contents SET size = ? WHERE id = ?", size + added.length, content);
        return size + added.length;
    }

    public static long size(Sql sql, UUID content) {
        return sql.one("SELECT size FROM contents WHERE id = ?", Long.class, content)
                .orElse(0L);
    }

    /** Reads up to {@code atMax} bytes from an offset on. */
    public static Slice read(Sql sql, UUID content, long from, int atMax) {
        long size = size(sql, content);
        java.io.ByteArrayOutputStream read = new java.io.ByteArrayOutputStream();
        long next = Math.min(from, size);
        while (next < size && read.size() < atMax) {
            Optional<Part> part = part(sql, content, next);
            if (part.isEmpty()) {
                break;
            }
            int skipped = (int) (next - part.get().at());
            int count = Math.min(part.get().bytes().length - skipped, atMax - read.size());
            read.write(part.get().bytes(), skipped, count);
            next += count;
        }
        return new Slice(read.toByteArray(), next, size);
    }

    private record Part(long at, byte[] bytes) {}

    private static Optional<Part> part(Sql sql, UUID content, long offset) {
        return sql.one(
                "SELECT at, bytes FROM content_parts WHERE content = ? AND at <= ? ORDER BY at DESC LIMIT 1",
                row -> new Part(row.number("at"), row.bytes("bytes")),
                content,
                offset);
    }

    /**
     * Marks unreferenced contents as removed, and frees their bytes in the quota. Their parts are deleted later, because there may be many.
     */
    public static void delete(Sql sql, List<UUID> contents) {
        if (!contents.isEmpty()) {
            Map<String, Long> counted = sql
                    .query(
                            "UPDATE contents SET removed_at = outpost_now(), counted_size = size, organisation = NULL"
                                    + " FROM (SELECT id AS old, organisation AS whose, counted_size AS counted FROM contents"
                                    + " WHERE id = ANY (?) FOR UPDATE) o WHERE id = o.old RETURNING o.whose, o.counted",
                            row -> Map.entry(row.optionalText("whose").orElse(""), row.number("counted")),
                            contents)
                    .stream()
                    .collect(Collectors.groupingBy(Map.Entry::getKey, Collectors.summingLong(Map.Entry::getValue)));
            counted.remove("");
            new TreeMap<>(counted).forEach((organisation, bytes) -> TotalCounting.release(sql, organisation, bytes));
        }
    }

    /** Removes parts of deleted contents, and the contents that have no parts left. */
    public static Retention.Step forget(Sql sql, Retention.Span span) {
        List<UUID> removed = sql.query(
                "SELECT id FROM contents WHERE removed_at < ? ORDER BY removed_at LIMIT ? FOR UPDATE SKIP LOCKED",
                UUID.class,
                span.before(),
                span.limit());
        int parts = 0;
        for (UUID content : removed) {
            parts += Retention.removeOf(sql, "content_parts", "content", content, "at", span.limit() - parts);
            if (parts >= span.limit()) {
                return new Retention.Step(parts, span.from());
            }
            sql.update("DELETE FROM contents WHERE id = ?", content);
        }
        return new Retention.Step(Math.max(parts, removed.size()), span.from());
    }
}
