package dev.outpost.runtime.cuda.compile;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.library.CudaLibraries;
import dev.outpost.runtime.cuda.library.CudaLibrary;
import dev.outpost.runtime.cuda.library.LibrarySearch;
import dev.outpost.runtime.cuda.library.SearchPlaces;
import java.util.Optional;

/** The NVRTC of this machine; a test that uses it is skipped if there is none. */
public final class NvrtcHere {
    private NvrtcHere() {}

    public static Nvrtc find() {
        LibrarySearch search = new CudaLibraries(SearchPlaces.here(), Optional.empty()).find(CudaLibrary.NVRTC);
        assumeTrue(
                search.found().isPresent(),
                "NVRTC was not found: set OUTPOST_CUDA_LIBRARIES, or pip install nvidia-cuda-nvrtc");
        return new Nvrtc(search.found().get());
    }
}
