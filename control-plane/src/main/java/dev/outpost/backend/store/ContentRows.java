package dev.outpost.backend.store;

import java.util.List;
import java.util.Optional;
import java.util.UUID;

/** Bytes that are only ever added to at their end, so that whoever sends or reads them goes on where it was. */
public final class ContentRows {
    private ContentRows() {}

    /** What was read, and where it ends. */
    public record Slice(byte[] bytes, long next, long size) {}

    /** A new one without bytes. */
    public static UUID create(Sql sql) {
        UUID id = UUID.randomUUID();
        sql.update("INSERT INTO contents (id) VALUES (?)", id);
        return id;
    }

    /**
     * Adds bytes that begin at an offset. Bytes that are there already are left as they are, so sending again does no harm.
     *
     * @return where it ends then; nothing was added where that is before the offset
     */
    public static long append(Sql sql, UUID content, long from, byte[] bytes) {
        long size = sql.one("SELECT size FROM contents WHERE id = ? FOR UPDATE", row -> row.number("size"), content)
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
        return sql.one("SELECT size FROM contents WHERE id = ?", row -> row.number("size"), content)
                .orElse(0L);
    }

    /** The bytes from an offset on, up to so many. */
    public static Slice read(Sql sql, UUID content, long from, int atMost) {
        long size = size(sql, content);
        java.io.ByteArrayOutputStream read = new java.io.ByteArrayOutputStream();
        long next = Math.min(from, size);
        while (next < size && read.size() < atMost) {
            Optional<Part> part = part(sql, content, next);
            if (part.isEmpty()) {
                break;
            }
            int skipped = (int) (next - part.get().at());
            int count = Math.min(part.get().bytes().length - skipped, atMost - read.size());
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

    public static void delete(Sql sql, List<UUID> contents) {
        if (!contents.isEmpty()) {
            sql.update("DELETE FROM contents WHERE id = ANY (?)", contents);
        }
    }
}
