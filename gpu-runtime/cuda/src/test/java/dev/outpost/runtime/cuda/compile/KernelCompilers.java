package dev.outpost.runtime.cuda.compile;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.library.CudaLibraries;
import dev.outpost.runtime.cuda.library.CudaLibrary;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.util.List;
import java.util.Optional;

/** The compilers of kernels for architectures without a GPU: NVRTC if it is found, otherwise nvcc. */
public sealed interface KernelCompilers permits KernelCompilers.ByNvrtc, NvccHere {
    /** The architectures of the catalogue's GPUs. */
    List<Integer> CATALOGUE = List.of(75, 80, 86, 89, 90, 100, 120);

    /** Returns the compiler of this machine; skips the test if there is none. */
    static KernelCompilers find() {
        Optional<KernelCompilers> nvrtc = new CudaLibraries(SearchPlaces.here(), Optional.empty())
                .find(CudaLibrary.NVRTC)
                .found()
                .map(library -> new ByNvrtc(new Nvrtc(library)));
        Optional<KernelCompilers> found = nvrtc.or(() -> NvccHere.find(System.getenv("PATH")));
        assumeTrue(
                found.isPresent(),
                "neither NVRTC nor nvcc was found: set OUTPOST_CUDA_LIBRARIES, or pip install nvidia-cuda-nvrtc");
        return found.get();
    }

    /** All architectures that it supports. */
    List<Integer> architectures();

    /**
     * Compiles a source.
     *
     * @throws CompilationException if it is wrong
     */
    byte[] compile(String source, int architecture);

    /** The architectures of the catalogue that it supports. */
    default List<Integer> known() {
        List<Integer> architectures = architectures();
        return CATALOGUE.stream().filter(architectures::contains).toList();
    }

    /** The library. */
    record ByNvrtc(Nvrtc nvrtc) implements KernelCompilers {
        @Override
        public List<Integer> architectures() {
            return nvrtc.architectures();
        }

        @Override
        public byte[] compile(String source, int architecture) {
            return new NvrtcCompiler(nvrtc, CompileTarget.cubin(architecture)).compile(source);
        }
    }
}
