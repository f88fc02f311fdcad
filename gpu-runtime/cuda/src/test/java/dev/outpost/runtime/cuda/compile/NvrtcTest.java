package dev.outpost.runtime.cuda.compile;

import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.outpost.runtime.cuda.library.CudaException;
import dev.outpost.runtime.cuda.library.CudaLibrary;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** Compiles with the NVRTC of this machine; no GPU is needed. */
class NvrtcTest {
    private static final byte[] ELF = {0x7f, 'E', 'L', 'F'};
    private static final String SOURCE = """
            extern "C" __global__ void scale(float *x, float by, int count) {
                int i = blockIdx.x * blockDim.x + threadIdx.x;
                if (i < count) x[i] = x[i] * by;
            }
            """;

    private Nvrtc nvrtc;

    @BeforeEach
    void find() {
        nvrtc = NvrtcHere.find();
    }

    @Test
    void compilesForEveryArchitectureThatItKnows() {
        for (int architecture : nvrtc.architectures()) {
            byte[] cubin = nvrtc.compile("scale.cu", SOURCE, CompileTarget.cubin(architecture));
            assertArrayEquals(ELF, Arrays.copyOf(cubin, ELF.length), () -> "for " + architecture);
        }
    }

    @Test
    void compilesToPtxWithAZeroBehindIt() {
        byte[] ptx = nvrtc.compile("scale.cu", SOURCE, new CompileTarget(75, CompileTarget.Form.PTX));
        String text = new String(ptx, StandardCharsets.UTF_8);
        assertTrue(text.contains(".target sm_75"), text);
        assertTrue(text.contains(".entry scale("), text);
        assertEquals(0, ptx[ptx.length - 1]);
    }

    @Test
    void anErrorInTheSourceComesWithTheCompilersLog() {
        CompilationException failure = assertThrows(
                CompilationException.class,
                () -> nvrtc.compile("wrong.cu", SOURCE + "int x = unknown;", CompileTarget.cubin(75)));
        assertTrue(
                failure.getMessage().startsWith("wrong.cu: does not compile:\nwrong.cu(5): error: "),
                failure::getMessage);
        assertTrue(failure.log().contains("identifier \"unknown\" is undefined"), failure::log);
    }

    @Test
    void anUnknownOptionNamesCallCodeAndText() {
        CudaException failure = assertThrows(
                CudaException.class,
                () -> nvrtc.compile("scale.cu", SOURCE, CompileTarget.cubin(75), "--no-such-option"));
        assertEquals("nvrtcCompileProgram: failed with code 5: NVRTC_ERROR_INVALID_OPTION", failure.getMessage());
    }

    @Test
    void knowsItsVersionAndArchitectures() {
        assertTrue(CudaLibrary.MAJORS.contains(nvrtc.version().major()), nvrtc.version()::toString);
        assertTrue(nvrtc.architectures().containsAll(List.of(75, 80, 86, 89, 90)), nvrtc.architectures()::toString);
    }
}
