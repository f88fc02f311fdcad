package dev.outpost.runtime.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.message.Message;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.StateManifest;
import dev.outpost.protocol.message.StatePlace;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Sources;
import dev.outpost.types.DType;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Manifests that a client with the key may have made itself: no size or index in them is trusted. */
class StateReaderTest {
    private static final byte[] CONTENT = {1, 2, 3, 4, 5, 6, 7, 8};

    @TempDir
    Path folder;

    private Sources sources;
    private StatePlace place;
    private StateStore store;
    private ByteString chunk;

    @BeforeEach
    void open() throws IOException {
        sources = new Sources(SourceSettings.parse("file:" + folder));
        place = StatePlace.newBuilder()
                .setUri("file:" + folder)
                .setName("state")
                .setKey(ByteString.copyFrom(new byte[StateKeys.BYTES]))
                .build();
        store = new StateStore(sources, place);
        chunk = store.name(CONTENT);
        store.write(1, chunk, CONTENT);
    }

    @AfterEach
    void close() {
        sources.close();
    }

    private StateManifest.Builder manifest(StateManifest.SavedValue.Builder value, long offset, long length) {
        return StateManifest.newBuilder()
                .setFormat(1)
                .setName("state")
                .setNumber(1)
                .addBlocks(StateManifest.Block.newBuilder()
                        .addPieces(StateManifest.Piece.newBuilder()
                                .setState(1)
                                .setChunk(chunk)
                                .setOffset(offset)
                                .setLength(length)))
                .addValues(value);
    }

    private static StateManifest.SavedValue.Builder value(long... shape) {
        StateManifest.SavedValue.Builder value =
                StateManifest.SavedValue.newBuilder().setId(1).setDtype(DType.FLOAT32.code());
        for (long size : shape) {
            value.addShape(size);
        }
        return value.setBlock(0);
    }

    private StateReader reader(StateManifest.Builder manifest) throws IOException {
        Files.deleteIfExists(folder.resolve("states/state/1.manifest"));
        store.write(manifest.build());
        return StateReader.open(
                sources, RestoreState.newBuilder().setPlace(place).setNumber(1).build());
    }

    private void assertRefused(String reason, StateManifest.Builder manifest) {
        IOException refused = assertThrows(IOException.class, () -> reader(manifest));
        assertTrue(refused.getMessage().contains(reason), refused::getMessage);
    }

    @Test
    void elementsAreRead() throws Exception {
        StateReader reader = reader(manifest(value(2), 0, 8));
        List<byte[]> read = new ArrayList<>();
        reader.read(0, (offset, bytes, from, length) -> read.add(bytes));
        assertEquals(1, read.size());
        assertArrayEquals(CONTENT, read.getFirst());
        assertEquals(8, reader.bytes());
    }

    @Test
    void sizesThatDoNotFitAreRefused() {
        assertRefused("has 12 bytes, got 8", manifest(value(3), 0, 8));
        assertRefused("which are no elements", manifest(value(2), 0, 7));
        assertRefused("which are no elements", manifest(value(2), 0, -8));
        assertRefused("is wrong", manifest(value(-1), 0, 8));
        assertRefused("is wrong", manifest(value(1L << 40, 1L << 40), 0, 8));
        assertRefused("is wrong", manifest(value(2).setDtype(99), 0, 8));
        assertRefused("is wrong", manifest(value(2).setBlock(1), 0, 8));
        assertRefused("is wrong", manifest(value(2).setFault(0), 0, 8));
    }

    @Test
    void aViewOutsideOfItsStorageIsRefused() {
        assertRefused(
                "is outside of 2 elements", manifest(value(3).addStrides(1).setStorageElements(2), 0, 8));
        assertRefused("is wrong", manifest(value(3).addStrides(-1).setStorageElements(2), 0, 8));
    }

    @Test
    void bytesOutsideOfAChunkAreRefused() throws IOException {
        StateReader reader = reader(manifest(value(2), 4, 8));
        IOException refused =
                assertThrows(IOException.class, () -> reader.read(0, (offset, bytes, from, length) -> {}));
        assertTrue(refused.getMessage().contains("outside of a chunk"), refused::getMessage);
    }

    @Test
    void tooManyValuesAreNotWritten() {
        StateManifest.Builder many = manifest(value(2), 0, 8);
        for (int index = 0; index < Message.MAX_VALUES; index++) {
            many.addValues(StateManifest.SavedValue.getDefaultInstance());
        }
        assertRefused("close tensors that are not needed", many);
    }

    @Test
    void anotherFormatIsRefused() {
        assertRefused(
                "has format 2, and this machine reads format 1",
                manifest(value(2), 0, 8).setFormat(2));
    }

    @Test
    void aNameThatLeadsElsewhereIsRefused() {
        for (String name : List.of("", "..", "a/b", "../x", "x".repeat(101))) {
            StatePlace wrong = place.toBuilder().setName(name).build();
            assertThrows(IllegalArgumentException.class, () -> new StateStore(sources, wrong), name);
        }
    }

    @Test
    void aKeyOfAnotherSizeIsRefused() {
        StatePlace wrong = place.toBuilder().setKey(ByteString.EMPTY).build();
        assertThrows(IllegalArgumentException.class, () -> new StateStore(sources, wrong));
    }

    @Test
    void namesOfChunksDependOnTheKey() {
        byte[] key = new byte[StateKeys.BYTES];
        key[0] = 1;
        StateStore other = new StateStore(
                sources, place.toBuilder().setKey(ByteString.copyFrom(key)).build());
        assertNotEquals(chunk, other.name(CONTENT));
    }
}
