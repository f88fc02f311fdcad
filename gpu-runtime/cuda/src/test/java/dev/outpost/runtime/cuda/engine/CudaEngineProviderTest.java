package dev.outpost.runtime.cuda.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.outpost.runtime.cuda.driver.CudaDevice;
import dev.outpost.runtime.cuda.driver.CudaDriver;
import dev.outpost.runtime.cuda.driver.NoDriverException;
import dev.outpost.runtime.cuda.library.CudaVersion;
import dev.outpost.runtime.cuda.library.SearchPlace;
import dev.outpost.runtime.engine.EngineProvider;
import dev.outpost.runtime.engine.EngineSettings;
import dev.outpost.runtime.engine.EngineUnavailableException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

@Tag("quick")
class CudaEngineProviderTest {
    private static final CudaDevice GPU = new CudaDevice(0, "NVIDIA H200", 90, 1L << 37, 132);

    @TempDir
    private Path folder;

    /** The engine is found by its name, and no other engine replaces it. */
    @Test
    void withoutADriverItSaysSo() {
        assumeTrue(isWithoutDriver(), "there is a CUDA driver here");
        EngineUnavailableException refusal = assertThrows(
                EngineUnavailableException.class, () -> EngineProvider.open("cuda", EngineSettings.DEFAULT));
        assertEquals(
                "cuda: libcuda.so.1 not found: With an NVIDIA GPU, install its driver; in a container, start it with the"
                        + " GPU (docker run --gpus all, or nvidia.com/gpu in a pod's limits).",
                refusal.getMessage());
    }

    private static String refusal(CudaDriver driver, List<SearchPlace> places) {
        return assertThrows(
                        EngineUnavailableException.class,
                        () -> CudaEngineProvider.open(driver, places, EngineSettings.DEFAULT))
                .getMessage();
    }

    private static CudaDriver driver(CudaVersion version, CudaDevice... devices) {
        return new CudaDriver(Path.of("libcuda.so.1"), version, List.of(devices));
    }

    @Test
    void aDriverWithoutAGpuIsSaid() {
        assertEquals(
                "cuda: the driver has no GPU: Check whether nvidia-smi lists one, and the value of CUDA_VISIBLE_DEVICES.",
                refusal(driver(new CudaVersion(12, 8)), List.of()));
    }

    @Test
    void aLibraryThatIsNotThereIsSaid() {
        assertEquals(
                "cuda: NVRTC was not found: Use an image with CUDA's libraries of the driver's major version, or set"
                        + " their folder by OUTPOST_CUDA_LIBRARIES; ./outpost doctor shows where it searched.",
                refusal(driver(new CudaVersion(12, 8), GPU), List.of(SearchPlace.folder("here", folder))));
    }

    /** The driver could not load the code of a newer library. */
    @Test
    @EnabledOnOs(value = OS.LINUX, disabledReason = "CUDA's libraries are loaded on Linux only")
    void aDriverThatIsTooOldIsSaid() throws IOException {
        Path loadable = Path.of(System.getProperty("java.home"), "lib", "libjimage.so");
        Files.copy(loadable, folder.resolve("libnvrtc.so.12"));
        Files.createFile(folder.resolve("libnvrtc-builtins.so.12.9"));
        String refusal = refusal(driver(new CudaVersion(11, 8), GPU), List.of(SearchPlace.folder("here", folder)));
        assertTrue(
                refusal.startsWith("cuda: NVRTC was not found, libnvrtc.so.12 is newer than the driver, which supports"
                        + " CUDA 11.8: "),
                refusal);
    }

    private static boolean isWithoutDriver() {
        try {
            CudaDriver.load();
            return false;
        } catch (NoDriverException failure) {
            return failure.isMissing();
        }
    }
}
