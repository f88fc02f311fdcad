package dev.outpost.io;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.HostTensor;
import dev.outpost.types.MalformedException;
import dev.outpost.types.OpException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Collection;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * Files with changed, removed or inserted bytes are read, or refused with a sentence that names the file. No other failure occurs, and no
 * read takes more memory than the file's size permits. Another seed: {@code -Doutpost.mutations.seed=N}.
 */
class MutatedFilesTest {
    private static final int COUNT = Integer.getInteger("outpost.mutations", 4_000);
    private static final int FEW = Math.min(COUNT, 1_000);
    private static final long SEED = Long.getLong("outpost.mutations.seed", 20_261_125L);

    @TempDir
    private Path folder;

    static List<String> names() {
        return List.of(
                "row-major.npy",
                "column-major-big-endian.npy",
                "version-2.npy",
                "stored.npz",
                "compressed.npz",
                "file.safetensors");
    }

    @ParameterizedTest
    @MethodSource("names")
    void someMutatedFilesAreReadOrRefused(String name) throws IOException {
        readOrRefused(name, FEW);
    }

    @ParameterizedTest
    @Tag("full")
    @MethodSource("names")
    void mutatedFilesAreReadOrRefused(String name) throws IOException {
        readOrRefused(name, COUNT);
    }

    private void readOrRefused(String name, int count) throws IOException {
        byte[] original = TestFiles.bytes(name);
        Random random = new Random(SEED);
        int refused = 0;
        for (int i = 0; i < count; i++) {
            byte[] mutated = mutated(original, random);
            Path file = TestFiles.write(folder, name, mutated);
            try {
                long bytes = read(file).stream()
                        .mapToLong(tensor -> tensor.bytes().length)
                        .sum();
                assertTrue(bytes <= 1032L * mutated.length, () -> "mutation made more of " + mutated.length);
            } catch (MalformedException | OpException failure) {
                assertTrue(failure.getMessage().contains(name), failure.getMessage());
                refused++;
            } catch (RuntimeException | IOException unexpected) {
                throw new AssertionError(name + ", mutation " + i + " of seed " + SEED, unexpected);
            }
        }
        assertTrue(refused > count / 4, "only " + refused + " were refused");
    }

    private static Collection<HostTensor> read(Path file) throws IOException {
        String name = file.toString();
        if (name.endsWith(".npy")) {
            return List.of(Npy.read(file));
        }
        return (name.endsWith(".npz") ? Npz.read(file) : Safetensors.read(file)).values();
    }

    private static byte[] mutated(byte[] original, Random random) {
        byte[] bytes = original.clone();
        for (int times = 1 + random.nextInt(3); times > 0 && bytes.length > 1; times--) {
            int at = random.nextInt(bytes.length);
            int length = 1 + random.nextInt(Math.min(16, bytes.length - at));
            bytes = switch (random.nextInt(6)) {
                case 0 -> Arrays.copyOf(bytes, at);
                case 1 -> joined(bytes, at, random, 0, length);
                case 2 -> joined(bytes, at, random, length, 0);
                case 3 -> flipped(bytes, at, 1 << random.nextInt(8));
                default -> joined(bytes, at, random, length, length);
            };
        }
        return bytes;
    }

    private static byte[] flipped(byte[] bytes, int at, int bit) {
        bytes[at] ^= (byte) bit;
        return bytes;
    }

    /** Returns the bytes with {@code removed} of them replaced by {@code added} random ones. */
    private static byte[] joined(byte[] bytes, int at, Random random, int added, int removed) {
        byte[] put = new byte[added];
        random.nextBytes(put);
        byte[] result = Arrays.copyOf(bytes, bytes.length + added - removed);
        System.arraycopy(put, 0, result, at, added);
        System.arraycopy(bytes, at + removed, result, at + added, bytes.length - at - removed);
        return result;
    }
}
