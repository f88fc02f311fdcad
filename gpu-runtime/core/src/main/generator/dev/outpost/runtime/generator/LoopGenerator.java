package dev.outpost.runtime.generator;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/**
 * Writes classes whose methods differ only in one operation or in one type. The JIT compiles an operation on vectors well only if it is in a loop of
 * its own, so there cannot be one loop that calls the operation. The build runs this program before it compiles the module.
 */
public final class LoopGenerator {
    private LoopGenerator() {}

    /** @param arguments the folder to which the sources are written */
    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(arguments[0]);
        List<GeneratedClass> classes = List.of(
                TileLoops.scalarTiles(),
                TileLoops.vectorTiles(),
                TileLoops.vectorTranscendentals(),
                TileLoops.scalarNumbers(),
                TileLoops.vectorNumbers(),
                TileLoops.vectorSteps(),
                FoldLoops.scalarFolds(),
                FoldLoops.vectorFolds(),
                ElementLoops.elementMoves());
        for (GeneratedClass generated : classes) {
            write(folder.resolve(generated.path()), generated.source());
        }
    }

    /** Leaves a file alone that is the same already, since the compiler would compile all classes again. */
    private static void write(Path file, String source) throws IOException {
        if (!Files.exists(file) || !Files.readString(file).equals(source)) {
            Files.createDirectories(file.getParent());
            Files.writeString(file, source);
        }
    }
}
