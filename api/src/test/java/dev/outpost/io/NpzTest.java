package dev.outpost.io;

import static dev.outpost.io.TestFiles.assertRefused;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.SequencedMap;
import java.util.zip.ZipEntry;
import java.util.zip.ZipOutputStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NpzTest {
    private static final SequencedMap<String, HostTensor> STATE = new LinkedHashMap<>();

    static {
        STATE.put("0.weight", HostTensor.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3));
        STATE.put("bias", HostTensor.of(new long[] {1, 2}));
    }

    @TempDir
    private Path folder;

    /** A zip whose entries have the same bytes. */
    private Path zip(byte[] content, String... names) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (ZipOutputStream zip = new ZipOutputStream(bytes)) {
            for (String name : names) {
                zip.putNextEntry(new ZipEntry(name));
                zip.write(content);
                zip.closeEntry();
            }
        }
        return TestFiles.write(folder, "a.npz", bytes.toByteArray());
    }

    @ParameterizedTest
    @ValueSource(strings = {"stored.npz", "compressed.npz"})
    void filesOfNumpyAreRead(String name) throws IOException {
        Path file = TestFiles.copy(folder, name);
        assertEquals(STATE, Npz.read(file));
        try (NpzFile npz = Npz.open(file)) {
            assertEquals(List.of("0.weight", "bias"), npz.names());
            assertEquals(new TensorType(DType.FLOAT32, Shape.of(2, 3)), npz.type("0.weight"));
            assertEquals(STATE.get("bias"), npz.read("bias"));
            assertRefused(" has no array weight, it has [0.weight, bias]", () -> npz.read("weight"));
        }
    }

    @Test
    void writtenFilesAreReadBackAndAreTheSameBytesEachTime() throws IOException {
        Path file = folder.resolve("b.npz");
        Npz.write(file, STATE);
        byte[] first = Files.readAllBytes(file);
        assertEquals(STATE, Npz.read(file));
        Npz.write(file, STATE);
        assertArrayEquals(first, Files.readAllBytes(file));
        Npz.writeCompressed(file, STATE);
        assertEquals(STATE, Npz.read(file));
        Npz.write(file, Map.of());
        assertEquals(Map.of(), Npz.read(file));
    }

    @ParameterizedTest
    @ValueSource(strings = {"../a.npy", "a/../../b.npy", "/etc/a.npy", "a\\b.npy", "C:a.npy", "a//b.npy", "./a.npy"})
    void namesThatLeadOutOfAFolderAreRefused(String name) throws IOException {
        Path file = zip(TestFiles.bytes("scalar.npy"), name);
        assertRefused(": the name of entry \"" + name + "\" leads out of a folder", () -> Npz.read(file));
        String array = name.substring(0, name.length() - 4);
        assertRefused(
                "npz: the name of an array must not lead out of a folder, got \"" + array + "\"",
                () -> Npz.write(folder.resolve("c.npz"), Map.of(array, HostTensor.scalar(1))));
    }

    @Test
    void foldersWithinTheFileAreFine() throws IOException {
        assertEquals(
                List.of("layers/0/weight"),
                List.copyOf(Npz.read(zip(TestFiles.bytes("scalar.npy"), "layers/0/weight.npy"))
                        .keySet()));
    }

    @Test
    void entryThatIsNoArrayIsRefused() throws IOException {
        Path text = zip(new byte[10], "readme.txt");
        assertRefused(": entry \"readme.txt\" is no array", () -> Npz.read(text));
        Path zeros = zip(new byte[200], "a.npy");
        assertRefused("/a: an .npy file begins with \\x93NUMPY", () -> Npz.read(zeros));
        Path none = TestFiles.write(folder, "none.npz", new byte[100]);
        assertRefused(": the zip file is damaged: zip END header not found", () -> Npz.read(none));
    }

    /** A hundred kilobytes that unpack to a hundred megabytes. */
    @Test
    void aFileThatUnpacksToMoreThanIsAllowedIsRefusedBeforeItIsUnpacked() throws IOException {
        Path file = folder.resolve("bomb.npz");
        HostTensor zeros = HostTensor.ofBytes(DType.INT8, Shape.of(10_000_000), new byte[10_000_000]);
        SequencedMap<String, HostTensor> tensors = new LinkedHashMap<>();
        for (int i = 0; i < 10; i++) {
            tensors.put("zeros" + i, zeros);
        }
        Npz.writeCompressed(file, tensors);
        assertRefused(
                " unpacks to 100001280 bytes, at most 50000000 are read; give a limit of your own, or read array by"
                        + " array with Npz.open",
                () -> Npz.read(file, 50_000_000));
    }

    /** The directory of the zip gives an entry a size that its bytes cannot unpack to. */
    @Test
    void sizesThatCannotBeAreRefused() throws IOException {
        Path file = TestFiles.copy(folder, "stored.npz");
        Npz.writeCompressed(file, STATE);
        byte[] bytes = Files.readAllBytes(file);
        int directory = indexOf(bytes, new byte[] {'P', 'K', 1, 2});
        bytes[directory + 27] = 0x40; // the highest byte of the unpacked size
        TestFiles.write(folder, "stored.npz", bytes);
        String message =
                assertThrows(MalformedException.class, () -> Npz.read(file)).getMessage();
        assertTrue(message.contains("array 0.weight says that it has"), message);
    }

    private static int indexOf(byte[] bytes, byte[] sought) {
        for (int at = 0; ; at++) {
            if (Arrays.equals(bytes, at, at + sought.length, sought, 0, sought.length)) {
                return at;
            }
        }
    }

    @Test
    void aDamagedArrayIsRefused() throws IOException {
        byte[] bytes = TestFiles.bytes("stored.npz");
        int element = indexOf(bytes, new byte[] {0, 0, (byte) 0x80, 0x3f});
        bytes[element] ^= 1;
        Path file = TestFiles.write(folder, "d.npz", bytes);
        assertRefused("/0.weight: the checksum differs", () -> Npz.read(file));
    }
}
