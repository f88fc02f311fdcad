package dev.outpost.system.deploy;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/**
 * The images have no shell and no commands, so the programs in them start none. Hosts have both, so only a pod would show a start of one.
 */
class ImageProgramsTest {
    private static final Pattern COMMAND = Pattern.compile("\"(/usr)?/s?bin/|ProcessBuilder\\(\\s*\"");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "protocol",
                "channel",
                "api",
                "provider-spi",
                "gpu-runtime/core",
                "gpu-runtime/cuda",
                "gpu-runtime/onnx",
                "gpu-runtime/sources",
                "gpu-runtime/server",
                "relay",
                "models",
                "inference",
                "serving"
            })
    void programsOfAnImageStartNoCommand(String module) throws IOException {
        Path sources = DeployFolder.TREE.resolve(module).resolve("src/main/java");
        try (Stream<Path> files = Files.walk(sources)) {
            assertEquals(
                    List.of(),
                    files.filter(file -> file.toString().endsWith(".java"))
                            .filter(ImageProgramsTest::namesACommand)
                            .map(file -> sources.relativize(file).toString())
                            .toList());
        }
    }

    private static boolean namesACommand(Path file) {
        try {
            return COMMAND.matcher(Files.readString(file)).find();
        } catch (IOException failure) {
            throw new UncheckedIOException(failure);
        }
    }
}
