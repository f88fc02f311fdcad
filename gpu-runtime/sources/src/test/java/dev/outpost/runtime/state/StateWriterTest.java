package dev.outpost.runtime.state;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.google.protobuf.ByteString;
import dev.outpost.protocol.bytes.Slice;
import dev.outpost.protocol.message.RestoreState;
import dev.outpost.protocol.message.SaveState;
import dev.outpost.protocol.message.StatePlace;
import dev.outpost.runtime.engine.cpu.CpuEngine;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.runtime.source.SourceSettings;
import dev.outpost.runtime.source.Sources;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.TreeMap;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class StateWriterTest {
    @TempDir
    Path folder;

    private final CpuEngine engine = new CpuEngine(1, 0);
    private Sources sources;
    private StatePlace place;
    private EngineBuffer buffer;

    @BeforeEach
    void open() {
        sources = new Sources(SourceSettings.parse("file:" + folder));
        place = StatePlace.newBuilder()
                .setUri("file:" + folder)
                .setName("state")
                .setKey(ByteString.copyFrom(new byte[StateKeys.BYTES]))
                .build();
        buffer = engine.allocate(DType.FLOAT32, 6);
        byte[] bytes = new byte[24];
        bytes[5] = 1;
        engine.write(buffer, 0, new Slice(bytes, 0, bytes.length));
    }

    @AfterEach
    void close() {
        engine.release(buffer);
        engine.close();
        sources.close();
    }

    private static SavedSession.Held held(long id, Array array) {
        return new SavedSession.Held(id, array.type(), array, null);
    }

    private void write(long number, long previous, SavedSession.Held... values)
            throws IOException, InterruptedException {
        SaveState request = SaveState.newBuilder()
                .setPlace(place)
                .setNumber(number)
                .setPrevious(previous)
                .build();
        StateWriter.write(
                sources, engine, request, new SavedSession(List.of(values), new TreeMap<>(), 0, List.of(), () -> {}));
    }

    private StateReader reader(long number) throws IOException {
        return StateReader.open(
                sources,
                RestoreState.newBuilder().setPlace(place).setNumber(number).build());
    }

    private Array plain() {
        return Array.contiguous(buffer, Shape.of(2, 3));
    }

    private Array turned() {
        return new Array(buffer, Layout.of(Shape.of(3, 2), new long[] {1, 3}, 0));
    }

    private Path onlyChunk() throws IOException {
        try (Stream<Path> files = Files.walk(folder.resolve("states"), 3)) {
            List<Path> chunks = files.filter(
                            file -> file.getFileName().toString().matches("[0-9a-f]{64}"))
                    .toList();
            assertEquals(1, chunks.size());
            return chunks.getFirst();
        }
    }

    @Test
    void valuesThatShareMemoryShareItInEachLaterState() throws Exception {
        write(1, 0, held(1, plain()), held(2, turned()));
        write(2, 1, held(1, plain()), held(2, turned()), held(3, Array.contiguous(buffer, Shape.of(6))));
        for (long number = 1; number <= 2; number++) {
            StateReader reader = reader(number);
            assertEquals(24, reader.bytes());
            assertEquals(
                    1,
                    reader.values().stream()
                            .map(StateReader.Saved::memory)
                            .distinct()
                            .count());
            assertEquals(
                    turned().layout().toString(),
                    reader.values().get(1).layout().toString());
        }
        assertEquals(3, reader(2).values().size());
        assertEquals(24, Files.size(onlyChunk()));
    }

    @Test
    void smallPartsOfALargeStorageAreSavedAlone() throws Exception {
        Array first = new Array(buffer, Layout.of(Shape.of(1), new long[] {1}, 0));
        Array second = new Array(buffer, Layout.of(Shape.of(1), new long[] {1}, 1));
        write(1, 0, held(1, first), held(2, second));
        assertEquals(8, reader(1).bytes());
    }

    @Test
    void aStateNeverReplacesAnother() throws Exception {
        write(1, 0, held(1, plain()));
        IOException refused = assertThrows(IOException.class, () -> write(1, 0));
        assertTrue(refused.getMessage().contains("exists already"), refused::getMessage);
        assertEquals(1, reader(1).values().size());
    }

    @Test
    void anEarlierStateThatWasChangedIsNotUsed() throws Exception {
        write(1, 0, held(1, plain()));
        Path manifest = folder.resolve("states/state/1.manifest");
        byte[] content = Files.readAllBytes(manifest);
        content[content.length - 1] ^= 1;
        Files.write(manifest, content);
        assertThrows(StateLostException.class, () -> reader(1));
        write(2, 1, held(1, plain()));
        assertEquals(24, reader(2).bytes());
    }

    @Test
    void aChunkOfAnotherSizeIsWrittenAgain() throws Exception {
        write(1, 0, held(1, plain()));
        Path chunk = onlyChunk();
        byte[] content = Files.readAllBytes(chunk);
        Files.write(chunk, new byte[100]);
        write(2, 1, held(1, plain()));
        List<byte[]> read = new ArrayList<>();
        reader(2).read(0, (offset, bytes, from, length) -> read.add(Arrays.copyOfRange(bytes, from, from + length)));
        assertArrayEquals(content, read.getFirst());
    }

    @Test
    void onlyLostChunksLoseValues() throws Exception {
        write(1, 0, held(1, plain()));
        Path chunk = onlyChunk();
        Path elsewhere = folder.resolve("elsewhere");
        Files.move(chunk, elsewhere);
        assertThrows(StateLostException.class, () -> reader(1).read(0, (offset, bytes, from, length) -> {}));
        Files.createDirectory(chunk);
        Files.createSymbolicLink(chunk.resolve("circle"), chunk);
        IOException unreadable =
                assertThrows(IOException.class, () -> reader(1).read(0, (offset, bytes, from, length) -> {}));
        assertFalse(unreadable instanceof StateLostException, unreadable::getMessage);
    }
}
