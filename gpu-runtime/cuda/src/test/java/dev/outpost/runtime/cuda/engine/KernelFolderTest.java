package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.protocol.op.Binary;
import dev.outpost.runtime.cuda.device.KernelCompiler;
import dev.outpost.runtime.cuda.emulation.IdleGpu;
import dev.outpost.runtime.cuda.launch.KernelFolder;
import dev.outpost.runtime.engine.EngineUnavailableException;
import dev.outpost.runtime.engine.comparison.Case;
import dev.outpost.runtime.engine.comparison.EngineComparison;
import dev.outpost.runtime.engine.comparison.OperandSamples;
import dev.outpost.runtime.engine.comparison.TestOperand;
import dev.outpost.runtime.memory.Array;
import dev.outpost.runtime.memory.EngineBuffer;
import dev.outpost.types.DType;
import dev.outpost.types.Layout;
import dev.outpost.types.Shape;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class KernelFolderTest {
    private static final byte[] CODE = {1, 2, 3};

    @TempDir
    private Path folder;

    private int compiled;

    private byte[] get(String identity, String source) {
        return new KernelFolder(folder).get(identity, source, () -> {
            compiled++;
            return CODE;
        });
    }

    private List<Path> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.toList();
        }
    }

    @Test
    void aKernelIsCompiledOnce() throws IOException {
        assertArrayEquals(CODE, get("a compiler", "a source"));
        assertArrayEquals(CODE, get("a compiler", "a source"));
        assertEquals(1, compiled);
        assertEquals(1, files().size());
    }

    @Test
    void anotherCompilerOrSourceIsAnotherKernel() {
        get("a compiler", "a source");
        get("another compiler", "a source");
        get("a compiler", "another source");
        assertEquals(3, compiled);
    }

    @Test
    void aDamagedFileIsMadeAgain() throws IOException {
        get("a compiler", "a source");
        Path file = files().getFirst();
        byte[] whole = Files.readAllBytes(file);
        Files.write(file, List.of("cut"));
        assertArrayEquals(CODE, get("a compiler", "a source"));
        assertArrayEquals(whole, Files.readAllBytes(file));
        whole[whole.length - 1]++;
        Files.write(file, whole);
        assertArrayEquals(CODE, get("a compiler", "a source"));
        assertEquals(3, compiled);
    }

    @Test
    void aFolderThatCannotBeMadeIsRefused() throws IOException {
        Path file = Files.createFile(folder.resolve("file"));
        EngineUnavailableException refusal =
                assertThrows(EngineUnavailableException.class, () -> new KernelFolder(file.resolve("kernels")));
        assertTrue(
                refusal.getMessage().startsWith("cuda: the folder for kernels " + file + "/kernels cannot be used, "),
                refusal::getMessage);
        assertTrue(
                refusal.getMessage().endsWith(": Name another one, or none, by outpost.runtime.cuda.kernels."),
                refusal::getMessage);
    }

    /** The folder has all kernels that another engine with the same folder needs. */
    @Test
    void aWarmStartCompilesNothing() {
        List<String> cold = new ArrayList<>();
        List<String> warm = new ArrayList<>();
        for (List<String> sources : List.of(cold, warm)) {
            try (CudaEngine engine = new CudaEngine(
                    new IdleGpu(), noting(sources), new NoMultiplier(), Optional.of(new KernelFolder(folder)))) {
                EngineBuffer buffer = engine.allocate(DType.FLOAT32, 8);
                Array array = Array.contiguous(buffer, Shape.of(8));
                TestOperand operand =
                        TestOperand.of(OperandSamples.ORDINARY, DType.FLOAT32, Layout.contiguous(Shape.of(8)), 0);
                engine.compile(EngineComparison.instruction(Case.of(Binary.ADD, operand, operand)))
                        .run(Binary.ADD, new Array[] {array, array}, new Array[] {array});
            }
        }
        assertEquals(1, cold.size());
        assertEquals(List.of(), warm);
    }

    private static KernelCompiler noting(List<String> sources) {
        return new KernelCompiler() {
            @Override
            public String identity() {
                return "a compiler";
            }

            @Override
            public byte[] compile(String source) {
                sources.add(source);
                return CODE;
            }
        };
    }
}
