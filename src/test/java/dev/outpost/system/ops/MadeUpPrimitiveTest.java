package dev.outpost.system.ops;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.IOException;
import java.io.StringWriter;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/**
 * An elementwise primitive that does not exist is added to copies of the four files that CONTRIBUTING names, and to nothing else.
 * Then it is recorded, run by both engines alone and fused, mapped, differentiated, and written as CUDA code.
 */
class MadeUpPrimitiveTest {
    private static final String MEANING =
            "gpu-runtime/core/src/main/java/dev/outpost/runtime/math/SpecialFunctions.java";
    private static final String UNARY = "protocol/src/main/java/dev/outpost/protocol/op/Unary.java";
    private static final String GRADIENTS = "api/src/main/java/dev/outpost/internal/gradients/Gradients.java";
    private static final String CUDA_RESOURCES = "gpu-runtime/cuda/src/main/resources";
    private static final String CUDA = CUDA_RESOURCES + "/dev/outpost/runtime/cuda/code/error_functions.cu";

    /** The program that runs with the changed classes. */
    private static final String PROBE = """
            package dev.outpost.runtime.cuda.code;

            import dev.outpost.MachineOptions;
            import dev.outpost.RemoteMachine;
            import dev.outpost.Tensor;
            import dev.outpost.functional.Vmap;
            import dev.outpost.internal.Dispatch;
            import dev.outpost.protocol.ir.GraphBuilder;
            import dev.outpost.protocol.op.Unary;
            import dev.outpost.runtime.cuda.code.AccessPattern.Access;
            import dev.outpost.runtime.engine.FusedMap;
            import dev.outpost.types.DType;
            import dev.outpost.types.Shape;
            import dev.outpost.types.TensorType;
            import java.util.Arrays;
            import java.util.List;
            import java.util.function.Supplier;

            public class MadeUpProbe implements Supplier<String> {
                @Override
                public String get() {
                    return run("reference") + run("cpu") + code();
                }

                private static String run(String engine) {
                    try (RemoteMachine machine =
                            RemoteMachine.of("mock", "A100", new MachineOptions().option("engine", engine))) {
                        Tensor x = machine.tensor(new double[] {1, -2, 0.5}, 3).requiresGrad(true);
                        Tensor alone = Dispatch.unary(Unary.MADE_UP, x.detach());
                        Tensor fused = Dispatch.unary(Unary.MADE_UP, x.mul(2)).add(1);
                        Tensor mapped = new Vmap()
                                .of(in -> List.of(Dispatch.unary(Unary.MADE_UP, in.get(0))))
                                .apply(List.of(x.detach()))
                                .get(0);
                        fused.sum().backward();
                        return engine + text(alone) + text(fused.detach()) + text(mapped) + text(x.grad()) + "; ";
                    }
                }

                private static String text(Tensor values) {
                    return " " + Arrays.toString(values.toDoubleArray());
                }

                private static String code() {
                    GraphBuilder graph = new GraphBuilder(new TensorType(DType.FLOAT32, Shape.of(4)));
                    graph.add(Unary.MADE_UP, 0);
                    ElementCode code = ElementCode.of(new FusedMap(graph.build().instructions(), value -> true));
                    CudaSource source = MapKernel.source(
                            code, new AccessPattern(1, 4, false, List.of(Access.RUN, Access.RUN)));
                    return "cuda " + source.parts().contains(Part.ERROR_FUNCTIONS) + " "
                            + (source.head() + source.tail()).contains("made_up_f32(");
                }
            }
            """;

    @TempDir
    private Path folder;

    private Path changed(String file, String before, String after) throws IOException {
        String text = Files.readString(Path.of("../..", file));
        assertTrue(text.contains(before), file + " has no " + before);
        Path copy = folder.resolve("sources").resolve(file);
        Files.createDirectories(copy.getParent());
        int at = text.lastIndexOf(before);
        return Files.writeString(copy, text.substring(0, at) + after + text.substring(at + before.length()));
    }

    @Test
    void fourFilesAreAll() throws Exception {
        List<Path> sources = new ArrayList<>(List.of(
                changed(UNARY, "Domain.FLOATING);", "Domain.FLOATING),\nMADE_UP(79, \"made_up\", Domain.FLOATING);"),
                changed(MEANING, "}", "public static double madeUp(double x) { return 3 * x + 1; }\n}"),
                changed(
                        GRADIENTS,
                        "case IS_NAN, NOT -> NONE;",
                        "case MADE_UP -> unary(NOTHING, (node, g) -> g.mul(3));\ncase IS_NAN, NOT -> NONE;")));
        changed(
                CUDA,
                "SPECIAL(erf, erf_erf)",
                "FN f64 made_up_of_doubles(f64 x) { return 3 * x + 1; }\nSPECIAL(made_up, made_up_of_doubles)");
        Path probe = folder.resolve("MadeUpProbe.java");
        sources.add(Files.writeString(probe, PROBE));
        Path classes = Files.createDirectory(folder.resolve("classes"));
        compile(sources, classes);

        String expected = " [4.0, -5.0, 2.5] [8.0, -10.0, 5.0] [4.0, -5.0, 2.5] [6.0, 6.0, 6.0]; ";
        assertEquals("reference" + expected + "cpu" + expected + "cuda true true", run(classes));
    }

    private static void compile(List<Path> sources, Path classes) throws IOException {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter problems = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-proc:none", "-d", classes.toString(), "-cp", System.getProperty("java.class.path"));
            boolean isCompiled = compiler.getTask(
                            problems, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertTrue(isCompiled, problems::toString);
        }
    }

    /** Runs it in a separate class loader, which finds the changed classes before the original ones. */
    private String run(Path classes) throws Exception {
        Path resources = folder.resolve("sources").resolve(CUDA_RESOURCES);
        List<URL> places = new ArrayList<>();
        for (Path place : Stream.concat(
                        Stream.of(classes, resources),
                        Arrays.stream(System.getProperty("java.class.path").split(File.pathSeparator))
                                .map(Path::of))
                .toList()) {
            places.add(place.toUri().toURL());
        }
        Thread thread = Thread.currentThread();
        ClassLoader before = thread.getContextClassLoader();
        try (URLClassLoader loader =
                new URLClassLoader(places.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            thread.setContextClassLoader(loader);
            Supplier<?> probe = (Supplier<?>) loader.loadClass("dev.outpost.runtime.cuda.code.MadeUpProbe")
                    .getConstructor()
                    .newInstance();
            return (String) probe.get();
        } finally {
            thread.setContextClassLoader(before);
        }
    }
}
