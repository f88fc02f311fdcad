package dev.outpost.runtime.engine.cpu.generated;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/**
 * The loops over registers are committed as they are generated. The JIT compiles a vector operation well only where it stands
 * in a loop of its own, so that the loops cannot be one that calls the operation.
 *
 * <p>{@code ./mvnw -pl gpu-runtime/core -am test -Dtest=VectorLoopsTest -Dsurefire.failIfNoSpecifiedTests=false
 * -Doutpost.generated.write=true} writes them again; {@code ./outpost format} breaks their lines.
 */
class VectorLoopsTest {
    private static final Path ENGINE = Path.of("src/main/java/dev/outpost/runtime/engine/cpu");

    static Stream<GeneratedLoops> classes() {
        return Stream.of(
                new GeneratedLoops(TileLoops.tiles(), "LANES"),
                new GeneratedLoops(TileLoops.curves(), "LANES"),
                new GeneratedLoops(TileLoops.numbers(), "LANES"),
                new GeneratedLoops(FoldLoops.folds(), "WIDTH"));
    }

    record GeneratedLoops(GeneratedClass source, String lanes) {
        @Override
        public String toString() {
            return source.name();
        }
    }

    @ParameterizedTest
    @MethodSource("classes")
    void loopsAreAsTheTemplatesSay(GeneratedLoops loops) throws IOException {
        Path file = ENGINE.resolve(loops.source().path());
        String generated = loops.source().source(loops.lanes());
        if (Boolean.getBoolean("outpost.generated.write")) {
            Files.writeString(file, generated);
        }
        assertEquals(tokens(generated), tokens(Files.readString(file)));
    }

    /** The code and its comments without the breaks of lines. */
    private static String tokens(String source) {
        return source.replaceAll("\\s\\*\\s", " ").replaceAll("\\s+", "");
    }
}
