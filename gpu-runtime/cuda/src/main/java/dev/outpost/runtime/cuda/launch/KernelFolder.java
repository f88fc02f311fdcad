package dev.outpost.runtime.cuda.launch;

import dev.outpost.runtime.engine.EngineUnavailableException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.Optional;
import java.util.function.Supplier;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Stores compiled kernels in files that are named by the hash of all inputs of the compilation. Many processes may
 * share the folder: files are created atomically, and a damaged file is written again.
 */
public final class KernelFolder {
    private static final Logger LOG = LoggerFactory.getLogger(KernelFolder.class);
    private static final int DIGEST_BYTES = 32;

    private final Path folder;

    /**
     * @param folder the folder, which is created if it does not exist
     * @throws EngineUnavailableException if it cannot be created or written
     */
    public KernelFolder(Path folder) {
        this.folder = folder;
        try {
            Files.createDirectories(folder);
        } catch (IOException failure) {
            throw unusable(folder, failure.toString());
        }
        if (!Files.isWritable(folder)) {
            throw unusable(folder, "it cannot be written");
        }
    }

    private static EngineUnavailableException unusable(Path folder, String reason) {
        return new EngineUnavailableException(
                "cuda: the folder for kernels " + folder + " cannot be used, " + reason,
                "Name another one, or none, by outpost.runtime.cuda.kernels.");
    }

    /** Returns the code of a source. Compiles it if it is not in the folder. */
    public byte[] get(String identity, String source, Supplier<byte[]> compile) {
        Path file = folder.resolve(HexFormat.of().formatHex(digest(identity + "\n" + source)) + ".kernel");
        Optional<byte[]> kept = read(file);
        if (kept.isPresent()) {
            return kept.get();
        }
        byte[] code = compile.get();
        write(file, code);
        return code;
    }

    /**
     * Reads a file, which contains the digest of the code and then the code. Returns empty if the digest does not
     * match.
     */
    private static Optional<byte[]> read(Path file) {
        try {
            byte[] all = Files.readAllBytes(file);
            byte[] code = Arrays.copyOfRange(all, Math.min(DIGEST_BYTES, all.length), all.length);
            boolean whole = Arrays.equals(all, 0, Math.min(DIGEST_BYTES, all.length), digest(code), 0, DIGEST_BYTES);
            return whole ? Optional.of(code) : Optional.empty();
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }

    /** Writes the code. If that fails, the next start compiles the kernel again. */
    private void write(Path file, byte[] code) {
        try {
            Path draft = Files.createTempFile(folder, "draft", ".part");
            byte[] all = Arrays.copyOf(digest(code), DIGEST_BYTES + code.length);
            System.arraycopy(code, 0, all, DIGEST_BYTES, code.length);
            Files.write(draft, all);
            Files.move(draft, file, StandardCopyOption.ATOMIC_MOVE);
        } catch (IOException failure) {
            LOG.warn("a compiled kernel cannot be kept in {}: {}", folder, failure.toString());
        }
    }

    private static byte[] digest(String text) {
        return digest(text.getBytes(StandardCharsets.UTF_8));
    }

    private static byte[] digest(byte[] bytes) {
        try {
            return MessageDigest.getInstance("SHA-256").digest(bytes);
        } catch (NoSuchAlgorithmException impossible) {
            throw new IllegalStateException(impossible);
        }
    }
}
