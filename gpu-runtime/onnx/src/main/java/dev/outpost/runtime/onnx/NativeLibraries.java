package dev.outpost.runtime.onnx;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/**
 * ONNX Runtime's native libraries, unpacked once for all model processes of this runtime. Otherwise each process would unpack its own 23
 * MB, and they could not share memory pages.
 */
final class NativeLibraries {
    /** The system property that ONNX Runtime reads when its classes are loaded. */
    static final String PROPERTY = "onnxruntime.native.path";

    private static final String RESOURCES = "/ai/onnxruntime/native/";
    private static final List<String> NAMES = List.of("onnxruntime", "onnxruntime4j_jni");

    private static final class Unpacked {
        static final Optional<Path> FOLDER = unpack(platform());
    }

    private NativeLibraries() {}

    /** The folder of the libraries. Empty if the class path has none for this platform; then ONNX Runtime looks for its own. */
    static Optional<Path> folder() {
        return Unpacked.FOLDER;
    }

    private static String platform() {
        String system = System.getProperty("os.name").toLowerCase(Locale.ROOT);
        String processor = System.getProperty("os.arch").equals("aarch64") ? "aarch64" : "x64";
        return (system.contains("linux") ? "linux-" : system.contains("mac") ? "osx-" : "win-") + processor;
    }

    static Optional<Path> unpack(String platform) {
        try {
            Path folder = Files.createTempDirectory("outpost-onnxruntime");
            folder.toFile().deleteOnExit();
            for (String name : NAMES) {
                String file = System.mapLibraryName(name);
                try (InputStream packed =
                        NativeLibraries.class.getResourceAsStream(RESOURCES + platform + "/" + file)) {
                    if (packed == null) {
                        return Optional.empty();
                    }
                    Path library = folder.resolve(file);
                    Files.copy(packed, library);
                    library.toFile().deleteOnExit();
                }
            }
            return Optional.of(folder);
        } catch (IOException ignored) {
            return Optional.empty();
        }
    }
}
