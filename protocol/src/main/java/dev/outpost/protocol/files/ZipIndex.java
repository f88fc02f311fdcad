package dev.outpost.protocol.files;

import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.Map;

/**
 * The positions of the entries in a zip file with uncompressed entries, as torch writes it. Throws MalformedException for a read of a
 * compressed entry, for an encrypted entry, for a path that leads out of the archive, and for a directory that contradicts the file. So a
 * reader never holds more bytes than the file has.
 *
 * @see <a href="https://pkware.cachefly.net/webdocs/casestudies/APPNOTE.TXT">the format</a>
 */
final class ZipIndex {
    private static final int MAX_DIRECTORY_BYTES = 64 << 20;
    private static final int MAX_ENTRIES = 300_000;

    private static final int END = 0x06054b50;
    private static final int END_BYTES = 22;
    private static final int END64_LOCATOR = 0x07064b50;
    private static final int END64_LOCATOR_BYTES = 20;
    private static final int END64 = 0x06064b50;
    private static final int END64_BYTES = 56;
    private static final int CENTRAL = 0x02014b50;
    private static final int CENTRAL_BYTES = 46;
    private static final int LOCAL = 0x04034b50;
    private static final int LOCAL_BYTES = 30;
    private static final int ZIP64_EXTRA = 1;
    private static final long IN_ZIP64 = 0xffffffffL;
    private static final int IN_ZIP64_SHORT = 0xffff;
    private static final int ENCRYPTED = 1 | 1 << 6 | 1 << 13;

    /**
     * An entry.
     *
     * @param header the position of the header before its bytes
     * @param size its bytes
     * @param crc the CRC-32 of its bytes
     * @param isStored true if the entry is not compressed
     */
    record Entry(String name, long header, long size, int crc, boolean isStored) {}

    private final ReadableBytes file;
    /** The position at which the directory begins, after all entries. */
    private final long directory;

    private final Map<String, Entry> entries = new LinkedHashMap<>();

    private ZipIndex(ReadableBytes file, long directory) {
        this.file = file;
        this.directory = directory;
    }

    /** Reads the directory at the end of a file. */
    static ZipIndex read(ReadableBytes file) throws IOException {
        if (file.size() < END_BYTES) {
            throw malformed(file, "it ends before a zip file could");
        }
        long endAt = file.size() - END_BYTES;
        ByteBuffer end = buffer(file, endAt, END_BYTES);
        if (end.getInt(0) != END || end.getShort(20) != 0) {
            throw malformed(file, "it does not end like a zip file, so it may have been cut off");
        }
        long count = Short.toUnsignedLong(end.getShort(10));
        long bytes = Integer.toUnsignedLong(end.getInt(12));
        long start = Integer.toUnsignedLong(end.getInt(16));
        long directoryEnd = endAt;
        boolean isOneDisk = end.getShort(4) == end.getShort(6);
        if (endAt >= END64_LOCATOR_BYTES + END64_BYTES
                && buffer(file, endAt - END64_LOCATOR_BYTES, END64_LOCATOR_BYTES)
                                .getInt(0)
                        == END64_LOCATOR) {
            directoryEnd = endAt - END64_LOCATOR_BYTES - END64_BYTES;
            ByteBuffer end64 = buffer(file, directoryEnd, END64_BYTES);
            if (end64.getInt(0) != END64) {
                throw malformed(file, "its zip64 record is not where it should be");
            }
            count = end64.getLong(32);
            bytes = end64.getLong(40);
            start = end64.getLong(48);
        }
        if (!isOneDisk || count < 0 || count > MAX_ENTRIES || bytes < 0 || bytes > MAX_DIRECTORY_BYTES) {
            throw malformed(
                    file,
                    "a directory has at most " + MAX_ENTRIES + " entries and " + MAX_DIRECTORY_BYTES
                            + " bytes in one file, got " + Long.toUnsignedString(count) + " and "
                            + Long.toUnsignedString(bytes));
        }
        if (start < 0 || start > file.size() || start + bytes != directoryEnd) {
            throw malformed(
                    file,
                    "its directory of " + bytes + " bytes at " + Long.toUnsignedString(start) + " does not end at "
                            + directoryEnd);
        }
        ZipIndex index = new ZipIndex(file, start);
        index.readEntries(buffer(file, start, (int) bytes), (int) count);
        return index;
    }

    private void readEntries(ByteBuffer in, int count) {
        for (int entry = 0; entry < count; entry++) {
            if (in.remaining() < CENTRAL_BYTES || in.getInt(in.position()) != CENTRAL) {
                throw malformed(file, "its directory has " + entry + " entries, expected " + count);
            }
            readEntry(in);
        }
        if (in.hasRemaining()) {
            throw malformed(file, "its directory has more than " + count + " entries");
        }
    }

    private void readEntry(ByteBuffer in) {
        int at = in.position();
        int nameBytes = Short.toUnsignedInt(in.getShort(at + 28));
        int extraBytes = Short.toUnsignedInt(in.getShort(at + 30));
        int commentBytes = Short.toUnsignedInt(in.getShort(at + 32));
        if (in.remaining() < CENTRAL_BYTES + nameBytes + extraBytes + commentBytes) {
            throw malformed(file, "an entry reaches beyond its directory");
        }
        byte[] text = new byte[nameBytes];
        in.get(at + CENTRAL_BYTES, text);
        String name = new String(text, StandardCharsets.UTF_8);
        requirePlain(name);
        if ((in.getShort(at + 8) & ENCRYPTED) != 0) {
            throw malformed(file, "entry " + Json.quote(name) + " is encrypted");
        }
        boolean isStored = in.getShort(at + 10) == 0;
        int extraAt = at + CENTRAL_BYTES + nameBytes;
        Wide wide = new Wide(in.slice(extraAt, extraBytes).order(ByteOrder.LITTLE_ENDIAN));
        long size = wide.orNext(Integer.toUnsignedLong(in.getInt(at + 24)), IN_ZIP64);
        long compressed = wide.orNext(Integer.toUnsignedLong(in.getInt(at + 20)), IN_ZIP64);
        long header = wide.orNext(Integer.toUnsignedLong(in.getInt(at + 42)), IN_ZIP64);
        boolean isHere = in.getShort(at + 34) == 0 || Short.toUnsignedInt(in.getShort(at + 34)) == IN_ZIP64_SHORT;
        if (isStored && size != compressed
                || size < 0
                || header < 0
                || header > directory - LOCAL_BYTES
                || isStored && size > directory
                || !isHere) {
            throw malformed(
                    file,
                    "entry " + Json.quote(name) + " of " + Long.toUnsignedString(size) + " bytes at "
                            + Long.toUnsignedString(header) + " does not fit the file");
        }
        if (entries.put(name, new Entry(name, header, size, in.getInt(at + 16), isStored)) != null) {
            throw malformed(file, "entry " + Json.quote(name) + " comes twice");
        }
        in.position(extraAt + extraBytes + commentBytes);
    }

    /** The 64-bit numbers of an entry, in the order of its zip64 field. */
    private final class Wide {
        private final ByteBuffer numbers;

        Wide(ByteBuffer extra) {
            ByteBuffer found = ByteBuffer.allocate(0);
            while (extra.remaining() >= 4) {
                int id = Short.toUnsignedInt(extra.getShort());
                int length = Short.toUnsignedInt(extra.getShort());
                if (length > extra.remaining()) {
                    throw malformed(file, "an extra field of its directory reaches beyond its entry");
                }
                if (id == ZIP64_EXTRA) {
                    found = extra.slice(extra.position(), length).order(ByteOrder.LITTLE_ENDIAN);
                }
                extra.position(extra.position() + length);
            }
            numbers = found;
        }

        long orNext(long narrow, long marker) {
            if (narrow != marker) {
                return narrow;
            }
            if (numbers.remaining() < Long.BYTES) {
                throw malformed(file, "an entry lacks its zip64 field");
            }
            return numbers.getLong();
        }
    }

    private void requirePlain(String name) {
        for (String part : name.split("/", -1)) {
            boolean isPlain = !part.isEmpty()
                    && !part.equals(".")
                    && !part.equals("..")
                    && part.chars().noneMatch(c -> c == '\\' || c == ':' || c < ' ' || c == '\ufffd');
            if (!isPlain) {
                throw malformed(file, "expected entries with plain paths, got " + Json.quote(name));
            }
        }
    }

    Map<String, Entry> entries() {
        return entries;
    }

    /** Returns the position of the first byte of an entry. Reads the header before it and compares that with the directory. */
    long begin(Entry entry) throws IOException {
        if (!entry.isStored()) {
            throw malformed(
                    file, "entry " + Json.quote(entry.name()) + " is compressed, and torch stores entries as they are");
        }
        ByteBuffer local = buffer(file, entry.header(), LOCAL_BYTES);
        int nameBytes = Short.toUnsignedInt(local.getShort(26));
        int extraBytes = Short.toUnsignedInt(local.getShort(28));
        long begin = entry.header() + LOCAL_BYTES + nameBytes + extraBytes;
        byte[] name = entry.name().getBytes(StandardCharsets.UTF_8);
        boolean isSame = local.getInt(0) == LOCAL
                && local.getShort(8) == 0
                && (local.getShort(6) & ENCRYPTED) == 0
                && nameBytes == name.length
                && begin <= directory - entry.size()
                && Arrays.equals(name, file.read(entry.header() + LOCAL_BYTES, nameBytes));
        if (!isSame) {
            throw malformed(file, "entry " + Json.quote(entry.name()) + " is another one where it begins");
        }
        return begin;
    }

    private static ByteBuffer buffer(ReadableBytes file, long position, int bytes) throws IOException {
        return ByteBuffer.wrap(file.read(position, bytes)).order(ByteOrder.LITTLE_ENDIAN);
    }

    private static MalformedException malformed(ReadableBytes file, String why) {
        return new MalformedException(file.name() + ": " + why);
    }
}
