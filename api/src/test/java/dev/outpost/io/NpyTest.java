package dev.outpost.io;

import static dev.outpost.io.TestFiles.assertRefused;
import static dev.outpost.io.TestFiles.bytes;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.HostTensor;
import dev.outpost.types.DType;
import dev.outpost.types.OutpostException;
import dev.outpost.types.Shape;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

class NpyTest {
    private static final HostTensor MATRIX = HostTensor.of(new float[] {0, 1, 2, 3, 4, 5}, 2, 3);

    @TempDir
    private Path folder;

    private static HostTensor read(byte[] bytes) throws IOException {
        return Npy.read(new ByteArrayInputStream(bytes));
    }

    private static byte[] written(HostTensor tensor) throws IOException {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        Npy.write(out, tensor);
        return out.toByteArray();
    }

    @Test
    void rowsAreReadWithoutTheRest() throws IOException {
        try (NpyFile rows = Npy.open(TestFiles.copy(folder, "row-major.npy"));
                NpyFile bigEndian = Npy.open(TestFiles.copy(folder, "big-endian.npy"));
                NpyFile empty = Npy.open(TestFiles.copy(folder, "empty.npy"))) {
            assertEquals(MATRIX, rows.read(0, 2));
            assertEquals(MATRIX.slice(1, 2), rows.read(1, 2));
            assertEquals(MATRIX.slice(1, 2), bigEndian.read(1, 2));
            assertEquals(HostTensor.of(new long[0], 0, 3), empty.read(0, 0));
            OutpostException refusal = assertThrows(OutpostException.class, () -> rows.read(1, 3));
            assertEquals(
                    "npy: rows 1 to 3 of " + folder.resolve("row-major.npy") + " do not exist, it is float32[2,3]",
                    refusal.getMessage());
        }
    }

    @Test
    void filesWithoutContiguousRowsAreNotOpened() throws IOException {
        Path columns = TestFiles.copy(folder, "column-major.npy");
        assertRefused("numpy.save(file, numpy.ascontiguousarray(array))", () -> Npy.open(columns));
        Path scalar = TestFiles.copy(folder, "scalar.npy");
        assertRefused(" has no rows, it is a scalar", () -> Npy.open(scalar));
        Path cut = TestFiles.write(folder, "cut.npy", Arrays.copyOf(bytes("row-major.npy"), 130));
        assertRefused(" takes 24 bytes behind the header, the file has 2", () -> Npy.open(cut));
    }

    @Test
    void filesOfNumpyAreRead() throws IOException {
        assertEquals(MATRIX, read(bytes("row-major.npy")));
        assertEquals(MATRIX, read(bytes("column-major.npy")));
        assertEquals(MATRIX, read(bytes("big-endian.npy")));
        assertEquals(MATRIX, read(bytes("version-2.npy")));
        assertEquals(HostTensor.scalar(2.5), read(bytes("scalar.npy")));
        assertEquals(HostTensor.of(new boolean[] {true, false}), read(bytes("bools.npy")));
        assertEquals(HostTensor.of(new long[0], 0, 3), read(bytes("empty.npy")));
        assertEquals(HostTensor.of(new float[] {1.5f, -2}).to(DType.FLOAT16), read(bytes("halves.npy")));
        short[] counting = new short[24];
        for (short i = 0; i < 24; i++) {
            counting[i] = i;
        }
        assertEquals(HostTensor.of(counting, 2, 3, 4), read(bytes("column-major-big-endian.npy")));
    }

    @Test
    void writtenBytesEqualThoseOfNumpy() throws IOException {
        for (String name : List.of("row-major.npy", "scalar.npy", "bools.npy", "empty.npy", "halves.npy")) {
            assertArrayEquals(bytes(name), written(read(bytes(name))), name);
        }
    }

    @ParameterizedTest
    @EnumSource(mode = EnumSource.Mode.EXCLUDE, names = "BFLOAT16")
    void everyDTypeComesBack(DType dtype) throws IOException {
        HostTensor tensor = HostTensor.of(new double[] {0, 1, 1, 0}, 2, 2).to(dtype);
        Path file = folder.resolve("a.npy");
        Npy.write(file, tensor);
        assertEquals(tensor, Npy.read(file));
        Npy.write(file, tensor.reshape(4));
        assertEquals(tensor.reshape(4), Npy.read(file));
        try (Stream<Path> files = Files.list(folder)) {
            assertEquals(List.of(file), files.toList());
        }
    }

    @Test
    void bfloat16HasNoFile() {
        HostTensor tensor = HostTensor.scalar(1f).to(DType.BFLOAT16);
        assertRefused(
                "npy: numpy has no bfloat16: cast to float32 first, or write .safetensors",
                () -> Npy.write(folder.resolve("a.npy"), tensor));
    }

    @Test
    void aFileIsAsLongAsItsArray() throws IOException {
        byte[] whole = bytes("row-major.npy");
        Path cut = TestFiles.write(folder, "cut.npy", Arrays.copyOf(whole, whole.length - 1));
        assertRefused("float32[2,3] takes 24 bytes behind the header, the file has 23", () -> Npy.read(cut));
        Path longer = TestFiles.write(folder, "longer.npy", Arrays.copyOf(whole, whole.length + 1));
        assertRefused("float32[2,3] takes 24 bytes behind the header, the file has 25", () -> Npy.read(longer));
        assertRefused(": 24 bytes of elements were expected, got 23", () -> read(Arrays.copyOf(whole, 151)));
        assertRefused(": bytes follow the array", () -> read(Arrays.copyOf(whole, 153)));
        assertRefused(": the file ends within the header", () -> read(Arrays.copyOf(whole, 30)));
        assertThrows(NoSuchFileException.class, () -> Npy.read(folder.resolve("none.npy")));
    }

    @Test
    void boolsAreZerosAndOnes() {
        byte[] bools = bytes("bools.npy");
        bools[bools.length - 1] = 2;
        assertRefused(": element 1 of a bool is neither 0 nor 1, got 2", () -> read(bools));
    }

    /** The reader only holds bytes that have arrived: the size in the header exceeds this heap. */
    @Test
    void aHeaderThatPromisesMoreThanComesIsRefused() throws IOException {
        byte[] huge = written(HostTensor.ofBytes(DType.INT8, Shape.of(0), new byte[0]));
        byte[] promised = new String(huge, StandardCharsets.ISO_8859_1)
                .replace("(0,), }         ", "(2000000000,), }")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertRefused(": 2000000000 bytes of elements were expected, got 0", () -> read(promised));
        byte[] beyond = new String(promised, StandardCharsets.ISO_8859_1)
                .replace("2000000000,", "4000000000,")
                .getBytes(StandardCharsets.ISO_8859_1);
        assertThrows(OutpostException.class, () -> read(beyond));
    }
}
