package dev.outpost.runtime.state;

import com.google.protobuf.ByteString;
import com.google.protobuf.UnsafeByteOperations;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.message.Protobuf;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.protocol.message.StatePlace;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.Sources;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.runtime.source.WritableBytes;
import dev.outpost.types.MalformedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.regex.Pattern;

/**
 * The chunks and manifests of one place. A chunk is written once and never changes. A manifest is written after all of its chunks. Used by
 * one thread at a time.
 */
final class StateStore {
    /** The maximum size of a chunk in bytes. */
    static final int MAX_CHUNK = 8 << 20;

    private static final int MAX_MANIFEST = 256 << 20;
    private static final byte[] MAGIC = "OUTPOST STATE 1\n".getBytes(StandardCharsets.US_ASCII);
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}");

    private final Sources sources;
    private final String uri;
    private final String name;
    private final StateKeys keys;

    /** The chunk that was read last, because small values share a chunk. */
    private ByteString latestName = ByteString.EMPTY;

    private byte[] latest;

    StateStore(Sources sources, StatePlace place) {
        if (!PLAIN.matcher(place.getName()).matches()) {
            throw new IllegalArgumentException("state: expected a plain name, got \"" + place.getName() + '"');
        }
        this.sources = sources;
        this.uri = place.getUri();
        this.name = place.getName();
        this.keys = new StateKeys(place.getKey().toByteArray());
    }

    // ---- chunks

    private static String path(ByteString chunk) {
        return "chunks/" + HexFormat.of().formatHex(chunk.toByteArray());
    }

    /** Returns true if the place has a chunk with at least this many bytes. */
    boolean has(ByteString chunk, long bytes) throws IOException {
        try {
            return sources.file(uri, path(chunk)).bytes() >= bytes;
        } catch (SourceNotFoundException ignored) {
            return false;
        }
    }

    /** Returns the name of a chunk with the first {@code length} of these bytes. */
    ByteString name(byte[] content, int length) {
        return UnsafeByteOperations.unsafeWrap(keys.name(content, length));
    }

    /** Writes a chunk. */
    void write(ByteString chunk, byte[] content, int length) throws IOException {
        write(path(chunk), length == content.length ? content : Arrays.copyOf(content, length));
    }

    /**
     * Reads a whole chunk. The result must not be changed.
     *
     * @throws IOException if the chunk is missing, or its content is not the one that its name stands for
     */
    byte[] read(ByteString chunk) throws IOException {
        if (chunk.equals(latestName)) {
            return latest;
        }
        String path = path(chunk);
        byte[] content;
        try {
            content = read(path, MAX_CHUNK);
        } catch (SourceNotFoundException ignored) {
            throw new IOException(path + " is missing from " + uri);
        }
        if (!MessageDigest.isEqual(keys.name(content, content.length), chunk.toByteArray())) {
            throw new IOException(path + " of " + uri + " was changed: its content does not have this name");
        }
        latestName = chunk;
        latest = content;
        return content;
    }

    // ---- manifests

    private String manifestPath(long number) {
        return "states/" + name + "/" + number + ".manifest";
    }

    /** Writes a manifest; after that the state is complete. Returns the number of written bytes. */
    long write(StateManifest manifest) throws IOException {
        byte[] message = manifest.toByteArray();
        byte[] file = Arrays.copyOf(MAGIC, MAGIC.length + StateKeys.BYTES + message.length);
        int head = MAGIC.length + StateKeys.BYTES;
        System.arraycopy(message, 0, file, head, message.length);
        System.arraycopy(keys.code(file, head), 0, file, MAGIC.length, StateKeys.BYTES);
        write(manifestPath(manifest.getNumber()), file);
        return file.length;
    }

    /**
     * Reads a manifest.
     *
     * @throws SourceNotFoundException if there is none of this number
     * @throws IOException if it was changed, or was written with another key
     */
    StateManifest manifest(long number) throws IOException {
        String path = manifestPath(number);
        byte[] file = read(path, MAX_MANIFEST);
        int head = MAGIC.length + StateKeys.BYTES;
        if (file.length < head || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new IOException(path + " of " + uri + " is no state that this machine can read");
        }
        if (!MessageDigest.isEqual(keys.code(file, head), Arrays.copyOfRange(file, MAGIC.length, head))) {
            throw new IOException(path + " of " + uri + " was changed, or is not this session's state");
        }
        StateManifest manifest;
        try {
            manifest = Protobuf.parse(
                    StateManifest.parser(), Arrays.copyOfRange(file, head, file.length), "the manifest of a state");
        } catch (MalformedException malformed) {
            throw new IOException(path + " of " + uri + ": " + malformed.getMessage(), malformed);
        }
        if (manifest.getNumber() != number || !manifest.getName().equals(name)) {
            throw new IOException(path + " of " + uri + " is the state " + manifest.getName() + " "
                    + manifest.getNumber() + ", which was put in the place of another");
        }
        return manifest;
    }

    String uri() {
        return uri;
    }

    String name() {
        return name;
    }

    /** Returns the path of a manifest within the place, for messages. */
    String describe(long number) {
        return manifestPath(number) + " of " + uri;
    }

    // ---- files

    private void write(String path, byte[] content) throws IOException {
        try (WritableBytes file = sources.create(uri, path)) {
            file.write(content);
            file.commit();
        }
    }

    private byte[] read(String path, int max) throws IOException {
        StoreFile found = sources.file(uri, path);
        if (found.bytes() > max) {
            throw new IOException(path + " of " + uri + " has " + found.bytes() + " bytes, over " + max);
        }
        try (ReadableBytes bytes = sources.read(uri, path, found)) {
            return bytes.read(0, (int) found.bytes());
        }
    }
}
