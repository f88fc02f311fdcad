package dev.outpost.protocol.files;

import static dev.outpost.protocol.RefusalAssertions.assertMalformed;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.Trials;
import dev.outpost.types.DType;
import dev.outpost.types.MalformedException;
import dev.outpost.types.Shape;
import dev.outpost.types.TensorType;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class SafetensorsHeaderTest {
    private static final String A = "\"a\":{\"dtype\":\"F32\",\"shape\":[2],\"data_offsets\":[0,8]}";

    @Test
    void layoutRoundTrips() throws IOException {
        Map<String, TensorType> types = new LinkedHashMap<>();
        for (DType dtype : DType.values()) {
            types.put("of " + dtype + " \"\u00e4\n", new TensorType(dtype, Shape.of(3, 1)));
        }
        types.put("scalar", new TensorType(DType.INT64, Shape.SCALAR));
        types.put("empty", new TensorType(DType.FLOAT32, Shape.of(0, 5)));
        SafetensorsLayout layout = SafetensorsLayout.of(types, Map.of("format", "pt"));
        SafetensorsHeader header = SafetensorsHeader.read(file(layout));
        assertEquals(types.size(), header.tensors().size());
        types.forEach(
                (name, type) -> assertEquals(type, header.tensors().get(name).type(), name));
        assertEquals(layout.tensors(), List.copyOf(header.tensors().values()));
        assertEquals(Map.of("format", "pt"), header.metadata());
        assertEquals(0, header.dataStart() % 8);
        layout.tensors()
                .forEach(tensor ->
                        assertEquals(0, tensor.begin() % tensor.type().dtype().bytes(), tensor.name()));
    }

    @Test
    void aFileIsReadWhereItsTensorsLie(@TempDir Path folder) throws IOException {
        SafetensorsLayout layout =
                SafetensorsLayout.of(Map.of("x", new TensorType(DType.UINT8, Shape.of(3))), Map.of());
        byte[] bytes = Arrays.copyOf(layout.head(), (int) layout.size());
        bytes[bytes.length - 1] = 7;
        Path path = Files.write(folder.resolve("x.safetensors"), bytes);
        try (ReadableFile file = ReadableFile.open(path)) {
            StoredTensor x = SafetensorsHeader.read(file).tensors().get("x");
            assertArrayEquals(new byte[] {0, 0, 7}, file.read(x.begin(), (int) x.bytes()));
        }
    }

    @Test
    void lengthsThatDoNotFitAreRefused() {
        assertMalformed("f: a safetensors file has at least 8 bytes, got 3", () -> read(new byte[3]));
        assertMalformed(
                "f: this is no safetensors file, or it is incomplete: a header of 9 bytes does not fit, the file has 10 and a header at most 100000000",
                () -> read(new byte[] {9, 0, 0, 0, 0, 0, 0, 0, '{', '}'}));
        byte[] huge = new byte[16];
        Arrays.fill(huge, 0, 8, (byte) 0xff);
        assertMalformed(
                "f: this is no safetensors file, or it is incomplete: a header of 18446744073709551615 bytes does not fit, the file has 16 and a header at most 100000000",
                () -> read(huge));
    }

    @Test
    void headersThatAreNoObjectsAreRefused() {
        refused("does not begin with {", " {}", 0);
        refused("does not begin with {", "", 0);
        refused("something follows the object", "{} {}", 0);
        refused("is no JSON", "{\"a\":", 0);
        refused("expected an object, got VALUE_NUMBER_INT", "{\"a\":1}", 0);
        refused("expected a string, got VALUE_NUMBER_INT", "{\"__metadata__\":{\"a\":1}}", 0);
    }

    @Test
    void aNameThatComesTwiceIsRefused() {
        refused("Duplicate field 'a'", "{" + A + "," + A + "}", 8);
        refused("Duplicate field 'dtype'", "{\"a\":{\"dtype\":\"F32\",\"dtype\":\"F64\"}}", 8);
    }

    @Test
    void tensorsThatContradictThemselvesAreRefused() {
        refused(
                "tensor \"a\": there is no dtype \"F128\", expected one of [F32, F64,",
                tensor("F128", "2", "0,32"),
                32);
        refused("F8_E5M2[2] takes 2 bytes, got offsets 0 to 3", tensor("F8_E5M2", "2", "0,3"), 3);
        refused("float32[2] takes 8 bytes, got offsets 0 to 4", tensor("F32", "2", "0,4"), 4);
        refused("float32[2] takes 8 bytes, got offsets 8 to 0", tensor("F32", "2", "8,0"), 8);
        refused("a size is out of range, got \"-1\"", tensor("F32", "-1", "0,4"), 4);
        refused(
                "a size is out of range, got \"18446744073709551616\"",
                tensor("F32", "18446744073709551616", "0,4"),
                4);
        refused("expected an integer, got VALUE_NUMBER_FLOAT", tensor("F32", "1.5", "0,4"), 4);
        refused("the number of elements overflows", tensor("F32", "4294967296,4294967296", "0,0"), 0);
        refused("the number of bytes overflows", tensor("F64", "2305843009213693952", "0,0"), 0);
        refused("an array has more than 2 numbers", tensor("F32", "1", "0,4,4"), 4);
        refused("dtype, shape and two data_offsets are needed", tensor("F32", "1", "0"), 4);
        refused("there is no field \"x\"", "{\"a\":{\"x\":1}}", 4);
    }

    @Test
    void gapsAndOverlapsAreRefused() {
        refused("tensor \"b\" begins at byte", "{" + A + ",\"b\":" + body("F32", "1", "4,8") + "}", 8);
        refused("tensor \"b\" begins at byte", "{" + A + ",\"b\":" + body("F32", "1", "12,16") + "}", 16);
        refused("the tensors end at byte", "{" + A + "}", 9);
        refused("the tensors end at byte", "{" + A + "}", 7);
        refused("the tensors end at byte", "{}", 1);
    }

    /** A mutated file is either valid, with tensors that cover its bytes, or refused; nothing else is thrown. */
    @Test
    void mutatedFilesAreReadOrRefused() {
        byte[] sound = file(SafetensorsLayout.of(
                        Map.of(
                                "model.weight", new TensorType(DType.BFLOAT16, Shape.of(4, 3)),
                                "model.bias", new TensorType(DType.FLOAT32, Shape.of(3)),
                                "steps", new TensorType(DType.INT64, Shape.SCALAR)),
                        Map.of("format", "pt")))
                .bytes();
        int[] refused = new int[1];
        int trials = 20_000;
        Trials.repeat(trials, 1, random -> {
            byte[] mutated = mutate(sound, random);
            try {
                requireSound(SafetensorsHeader.read(new ReadableArray("f", mutated)), mutated.length);
            } catch (MalformedException expected) {
                refused[0]++;
            } catch (IOException impossible) {
                throw new UncheckedIOException(impossible);
            }
        });
        assertTrue(refused[0] > trials / 2, "only " + refused[0] + " were refused");
    }

    private static byte[] mutate(byte[] sound, RandomGenerator random) {
        byte[] bytes = sound.clone();
        int edits = random.nextInt(1, 5);
        for (int edit = 0; edit < edits; edit++) {
            int at = random.nextInt(bytes.length);
            switch (random.nextInt(5)) {
                case 0 -> bytes[at] = (byte) random.nextInt(256);
                case 1 -> bytes[at] ^= (byte) (1 << random.nextInt(8));
                case 2 -> bytes[at] = (byte) "0123456789{}[],:\"-eE.".charAt(random.nextInt(21));
                case 3 -> bytes = Arrays.copyOf(bytes, Math.max(1, at));
                default -> bytes = moved(bytes, at, random.nextInt(bytes.length));
            }
        }
        return bytes;
    }

    /** Repeats the bytes of one place at another one. */
    private static byte[] moved(byte[] bytes, int from, int to) {
        byte[] result = bytes.clone();
        System.arraycopy(bytes, from, result, to, Math.min(8, bytes.length - Math.max(from, to)));
        return result;
    }

    private static void requireSound(SafetensorsHeader header, long size) {
        long covered = header.dataStart();
        for (StoredTensor tensor : header.tensors().values()) {
            assertEquals(tensor.type().bytes(), tensor.bytes());
            assertTrue(tensor.begin() >= header.dataStart() && tensor.end() <= size);
            covered += tensor.bytes();
        }
        assertEquals(size, covered);
    }

    private static String tensor(String dtype, String shape, String offsets) {
        return "{\"a\":" + body(dtype, shape, offsets) + "}";
    }

    private static String body(String dtype, String shape, String offsets) {
        return "{\"dtype\":\"" + dtype + "\",\"shape\":[" + shape + "],\"data_offsets\":[" + offsets + "]}";
    }

    private static void refused(String problem, String header, int dataBytes) {
        byte[] json = header.getBytes(StandardCharsets.UTF_8);
        byte[] bytes = ByteBuffer.allocate(8 + json.length + dataBytes)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putLong(json.length)
                .put(json)
                .array();
        try {
            read(bytes);
        } catch (MalformedException malformed) {
            String message = malformed.getMessage();
            assertTrue(message.startsWith("malformed input: f: ") && message.contains(problem), message);
            return;
        } catch (IOException impossible) {
            throw new UncheckedIOException(impossible);
        }
        throw new AssertionError(header + " was read");
    }

    private static ReadableArray file(SafetensorsLayout layout) {
        return new ReadableArray("f", Arrays.copyOf(layout.head(), (int) layout.size()));
    }

    private static SafetensorsHeader read(byte[] bytes) throws IOException {
        return SafetensorsHeader.read(new ReadableArray("f", bytes));
    }
}
