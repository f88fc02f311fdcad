package dev.outpost.runtime.state;

import com.google.protobuf.ByteString;
import com.google.protobuf.CodedInputStream;
import com.google.protobuf.CodedOutputStream;
import com.google.protobuf.InvalidProtocolBufferException;
import com.google.protobuf.UnsafeByteOperations;
import com.google.protobuf.WireFormat;
import dev.outpost.protocol.files.ReadableBytes;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.protocol.message.StatePlace;
import dev.outpost.runtime.source.SourceNotFoundException;
import dev.outpost.runtime.source.Sources;
import dev.outpost.runtime.source.StoreFile;
import dev.outpost.runtime.source.WritableBytes;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.regex.Pattern;

/**
 * The chunks and manifests of one place. A chunk is written once and never changes. Each state has its own folder for the chunks that it
 * adds. A manifest is written after all of its chunks. Thread-safe.
 */
final class StateStore {
    /** The maximum size of a chunk in bytes. */
    static final int MAX_CHUNK = 8 << 20;

    /** The end of the name of a manifest. */
    static final String MANIFEST = ".manifest";

    private static final int MAX_MANIFEST = 64 << 20;
    /** The maximum number of blocks, values, faults and programs. Each value has a block or a fault. */
    private static final int MAX_PARTS = 2 * Message.MAX_VALUES + 100_000;

    private static final byte[] MAGIC = "OUTPOST STATE 1\n".getBytes(StandardCharsets.US_ASCII);
    /** The bytes before the message. */
    private static final int HEAD = MAGIC.length + StateKeys.BYTES;

    private static final Pattern NUMBER = Pattern.compile("\\d{1,18}");
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9][A-Za-z0-9_.-]{0,99}");

    private final Sources sources;
    private final String uri;
    private final String name;
    private final StateKeys keys;

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

    /** Returns the path of the chunk that contains a piece, within the folder of all states of this name. */
    static String path(StateManifest.PieceOrBuilder piece) {
        return piece.getState() + "/"
                + HexFormat.of().formatHex(piece.getChunk().toByteArray());
    }

    private String chunkPath(StateManifest.PieceOrBuilder piece) {
        return folder() + "/" + path(piece);
    }

    /** Returns true if the place has the chunk of a piece, with the right size. */
    boolean has(StateManifest.PieceOrBuilder piece) throws IOException {
        try {
            return sources.file(uri, chunkPath(piece)).bytes() == piece.getChunkBytes();
        } catch (SourceNotFoundException ignored) {
            return false;
        }
    }

    /** Returns the name of a chunk with this content. */
    ByteString name(byte[] content) {
        return UnsafeByteOperations.unsafeWrap(keys.name(content));
    }

    /** Writes a chunk of a state. */
    void write(long state, ByteString chunk, byte[] content) throws IOException {
        write(chunkPath(StateManifest.Piece.newBuilder().setState(state).setChunk(chunk)), content);
    }

    /**
     * Reads the whole chunk of a piece. The result must not be changed.
     *
     * @throws StateLostException if the chunk is missing, or its content is not the one that its name stands for
     * @throws IOException if the store cannot be read at present
     */
    byte[] read(StateManifest.Piece piece) throws IOException {
        String path = chunkPath(piece);
        byte[] content;
        try {
            content = read(path, MAX_CHUNK);
        } catch (SourceNotFoundException ignored) {
            throw new StateLostException(path + " is missing from " + uri);
        }
        if (!MessageDigest.isEqual(keys.name(content), piece.getChunk().toByteArray())) {
            throw new StateLostException(path + " of " + uri + " was changed: its content does not have this name");
        }
        return content;
    }

    // ---- manifests

    private String manifestPath(long number) {
        return folder() + "/" + number + MANIFEST;
    }

    /** Returns the folder of all states of this name. */
    private String folder() {
        return "states/" + name;
    }

    /** Fails if there is a manifest of this number, because a state never replaces another one. */
    void requireNew(long number) throws IOException {
        try {
            sources.file(uri, manifestPath(number));
        } catch (SourceNotFoundException ignored) {
            return;
        }
        throw new IOException(describe(number) + " exists already, and a state never replaces another one");
    }

    /**
     * Returns the number of the latest state.
     *
     * @throws StateLostException if there is none
     */
    long latest() throws IOException {
        return list().stream()
                .filter(file -> file.endsWith(MANIFEST))
                .map(file -> file.substring(0, file.length() - MANIFEST.length()))
                .filter(number -> NUMBER.matcher(number).matches())
                .mapToLong(Long::parseLong)
                .max()
                .orElseThrow(() -> new StateLostException(uri + " has no state of " + name));
    }

    /** Writes a manifest; after that the state is complete. Returns the number of written bytes. */
    long write(StateManifest manifest) throws IOException {
        int size = manifest.getSerializedSize();
        if (size > MAX_MANIFEST - HEAD || manifest.getValuesCount() > Message.MAX_VALUES) {
            throw new IOException("the list of " + manifest.getValuesCount() + " values has " + size
                    + " bytes, and a state has at most " + Message.MAX_VALUES + " values and "
                    + (MAX_MANIFEST - HEAD) + " bytes; close tensors that are not needed");
        }
        requireNew(manifest.getNumber());
        byte[] file = Arrays.copyOf(MAGIC, HEAD + size);
        manifest.writeTo(CodedOutputStream.newInstance(file, HEAD, size));
        System.arraycopy(keys.code(file, HEAD), 0, file, MAGIC.length, StateKeys.BYTES);
        write(manifestPath(manifest.getNumber()), file);
        return file.length;
    }

    /**
     * Reads a manifest.
     *
     * @throws SourceNotFoundException if there is none of this number
     * @throws StateLostException if it was changed, or was written with another key
     * @throws IOException if the store cannot be read at present
     */
    StateManifest manifest(long number) throws IOException {
        String path = manifestPath(number);
        byte[] file = read(path, MAX_MANIFEST);
        if (file.length < HEAD || !Arrays.equals(file, 0, MAGIC.length, MAGIC, 0, MAGIC.length)) {
            throw new StateLostException(path + " of " + uri + " is no state that this machine can read");
        }
        if (!MessageDigest.isEqual(keys.code(file, HEAD), Arrays.copyOfRange(file, MAGIC.length, HEAD))) {
            throw new StateLostException(path + " of " + uri + " was changed, or is not this session's state");
        }
        StateManifest manifest;
        try {
            requireCounts(CodedInputStream.newInstance(file, HEAD, file.length - HEAD));
            manifest = StateManifest.parser().parseFrom(file, HEAD, file.length - HEAD);
        } catch (InvalidProtocolBufferException failure) {
            throw new StateLostException(path + " of " + uri + ": " + failure.getMessage(), failure);
        }
        if (manifest.getNumber() != number || !manifest.getName().equals(name)) {
            throw new StateLostException(path + " of " + uri + " is the state " + manifest.getName() + " "
                    + manifest.getNumber() + ", which was put in the place of another");
        }
        return manifest;
    }

    /** Counts the values and the other parts before objects are made for them. */
    private static void requireCounts(CodedInputStream in) throws InvalidProtocolBufferException {
        try {
            int values = 0;
            int parts = 0;
            for (int tag = in.readTag(); tag != 0; tag = in.readTag()) {
                values += WireFormat.getTagFieldNumber(tag) == StateManifest.VALUES_FIELD_NUMBER ? 1 : 0;
                parts++;
                if (values > Message.MAX_VALUES || parts > MAX_PARTS) {
                    throw new InvalidProtocolBufferException(
                            "the state has over " + Message.MAX_VALUES + " values or " + MAX_PARTS + " parts");
                }
                in.skipField(tag);
            }
        } catch (InvalidProtocolBufferException failure) {
            throw failure;
        } catch (IOException failure) {
            throw new InvalidProtocolBufferException(failure);
        }
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

    /** Returns the paths of all manifests and chunks, within the folder of all states of this name. */
    List<String> list() throws IOException {
        try {
            return sources.files(uri, folder()).stream().map(StoreFile::path).toList();
        } catch (SourceNotFoundException ignored) {
            return List.of();
        }
    }

    /** Deletes a file of the folder of all states of this name. */
    void delete(String path) throws IOException {
        sources.deleteFile(uri, folder() + "/" + path);
    }

    /** Deletes the remains of files that were never complete. Call it only if no state of this name is being written. */
    void deleteDrafts() throws IOException {
        sources.deleteDrafts(uri, folder());
    }

    private void write(String path, byte[] content) throws IOException {
        try (WritableBytes file = sources.create(uri, path)) {
            file.write(content);
            file.commit();
        }
    }

    private byte[] read(String path, int max) throws IOException {
        StoreFile found = sources.file(uri, path);
        if (found.bytes() > max) {
            throw new StateLostException(path + " of " + uri + " has " + found.bytes() + " bytes, over " + max);
        }
        try (ReadableBytes bytes = sources.read(uri, path, found)) {
            return bytes.read(0, (int) found.bytes());
        }
    }
}
