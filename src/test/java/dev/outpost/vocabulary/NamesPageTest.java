package dev.outpost.vocabulary;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.RemoteMachine;
import dev.outpost.Tensor;
import dev.outpost.nn.Functional;
import java.io.IOException;
import java.lang.reflect.Method;
import java.lang.reflect.Modifier;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** The table of names in docs/from-pytorch.md agrees with the ops; {@code -Doutpost.names.write=true} writes it. */
class NamesPageTest {
    private static final Path PAGE = Path.of("../../docs/from-pytorch.md");
    private static final Path PARITY = Path.of("../../docs/parity.md");
    private static final String BEGIN = "<!-- names: written by NamesPageTest -->\n";
    private static final String END = "<!-- end of names -->\n";

    /** The functions of {@code nn}, without the layers that call them. */
    private static final List<String> FUNCTIONS = Stream.of("""
                    AdaptivePooling AffineGrid AttentionShapes BagMode Bags ClassLosses ConvolutionFunctions Ctc CtcLattice Cubic
                    ElementFunctions ElementLosses FractionalPooling Functional GridPadding GridSampling InterpolationMode
                    LayerFunctions LossFunctions MarginLosses Normalized Normalizing PixelShuffling PoolingFunctions Reduction
                    Resampling ResizingFunctions ScaledDotProductAttention SlidingWindows Taps TransposedConvolutionFunctions
                    Unpooling VolumePooling WindowFunctions WindowPadding
                    """.strip().split("\\s+"))
            .map(name -> "api/src/main/java/dev/outpost/nn/" + name + ".java")
            .toList();

    /** The source folders and files of ops, by purpose. */
    private static final Map<String, List<String>> SOURCES = new TreeMap<>(Map.of(
            "methods and compositions",
            Stream.concat(
                            Stream.of(
                                    "api/src/main/java/dev/outpost/ops",
                                    "api/src/main/java/dev/outpost/linalg",
                                    "api/src/main/java/dev/outpost/complex",
                                    "api/src/main/java/dev/outpost/internal/ops",
                                    "api/src/main/java/dev/outpost/internal/functions",
                                    "api/src/main/java/dev/outpost/internal/linalg"),
                            FUNCTIONS.stream())
                    .toList(),
            "gradients and batching rules",
            List.of("api/src/main/java/dev/outpost/internal/gradients", "api/src/main/java/dev/outpost/internal/vmap"),
            "names and signatures",
            List.of("api/src/main/java/dev/outpost/vocabulary"),
            "types of primitives",
            List.of("protocol/src/main/java/dev/outpost/protocol/op")));

    @Test
    void theTableHasEveryName() throws IOException {
        String page = Files.readString(PAGE);
        String expected = BEGIN + table() + END;
        if (Boolean.getBoolean("outpost.names.write")) {
            int begin = page.indexOf(BEGIN);
            int end = page.indexOf(END);
            Files.writeString(PAGE, page.substring(0, begin) + expected + page.substring(end + END.length()));
            return;
        }
        assertTrue(
                page.contains(expected),
                "docs/from-pytorch.md has another table of names: run this test with -Doutpost.names.write=true");
    }

    private static String table() {
        StringBuilder table = new StringBuilder("| PyTorch | Java |\n|---|---|\n");
        for (String op : Ops.names()) {
            List<Method> methods = Ops.methods(op);
            String java = methods.isEmpty()
                    ? ""
                    : "`" + receiver(methods.getLast()) + "."
                            + methods.getLast().getName() + "`";
            table.append("| `").append(op).append("` | ").append(java).append(" |\n");
        }
        return table.toString();
    }

    /** Returns the name before the dot: x for methods of tensors, machine for those of machines, else the class. */
    private static String receiver(Method method) {
        Class<?> owner = owner(method);
        if (!Modifier.isStatic(method.getModifiers()) && owner.isAssignableFrom(Tensor.class)) {
            return "x";
        }
        return !Modifier.isStatic(method.getModifiers()) && owner.isAssignableFrom(RemoteMachine.class)
                ? "machine"
                : owner.getSimpleName();
    }

    /** For users, methods that a class inherits from a class that is not visible are its own. */
    private static Class<?> owner(Method method) {
        Class<?> declaring = method.getDeclaringClass();
        return Modifier.isPublic(declaring.getModifiers()) ? declaring : Functional.class;
    }

    /** The stated number of lines must be right within a tenth. */
    @Test
    void thePageOfParityTellsTheLinesOfAnOp() throws IOException {
        String page = Files.readString(PARITY);
        for (Map.Entry<String, List<String>> source : SOURCES.entrySet()) {
            long lines = 0;
            for (String path : source.getValue()) {
                lines += lines(Path.of("../..").resolve(path));
            }
            String row = page.lines()
                    .filter(line -> line.startsWith("| " + source.getKey() + " |"))
                    .findFirst()
                    .orElse("");
            assertTrue(
                    !row.isEmpty() && Math.abs(count(row) - lines) <= lines / 10,
                    "docs/parity.md: " + source.getKey() + " has " + lines + " lines for "
                            + Ops.names().size() + " names, got the row " + row);
        }
        assertEquals(
                SOURCES.size(),
                page.lines().filter(line -> line.matches(".*[0-9] lines \\|")).count());
    }

    private static long count(String row) {
        return Long.parseLong(
                row.replaceAll("^.*\\| ([0-9,]+) lines \\|$", "$1").replace(",", ""));
    }

    /** Lines of code: neither blank, nor imports, nor comments. */
    private static long lines(Path path) throws IOException {
        try (Stream<Path> files = Files.walk(path)) {
            List<Path> sources =
                    files.filter(file -> file.toString().endsWith(".java")).collect(Collectors.toList());
            long lines = 0;
            for (Path source : sources) {
                lines += Files.readString(source)
                        .lines()
                        .map(String::strip)
                        .filter(line -> !line.isEmpty()
                                && !line.startsWith("import ")
                                && !line.startsWith("package ")
                                && !line.startsWith("*")
                                && !line.startsWith("/*")
                                && !line.startsWith("//"))
                        .count();
            }
            return lines;
        }
    }
}
