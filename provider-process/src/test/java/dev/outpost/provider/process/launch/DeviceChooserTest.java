package dev.outpost.provider.process.launch;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.outpost.provider.GpuCatalogue;
import dev.outpost.provider.process.config.ProcessConfig;
import dev.outpost.provider.process.config.ProcessSettings;
import dev.outpost.provider.support.EngineKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

@Tag("quick")
class DeviceChooserTest {
    private static final GpuCatalogue CATALOGUE = GpuCatalogue.with("RTX4090=24GB:8.9");
    private static final HostGpu FIRST = new HostGpu("GPU-1", "NVIDIA A100-SXM4-40GB", Path.of("/dev/nvidia0"));
    private static final HostGpu SECOND = new HostGpu("GPU-2", "NVIDIA A100-SXM4-40GB", Path.of("/dev/nvidia1"));
    private static final DeviceChooser NO_GPU = new DeviceChooser(List.of(), CATALOGUE);
    private static final DeviceChooser TWO = new DeviceChooser(List.of(FIRST, SECOND), CATALOGUE);

    private static ProcessConfig config(String... nameAndValue) {
        return ProcessSettings.read(nameAndValue.length == 0 ? Map.of() : Map.of(nameAndValue[0], nameAndValue[1]));
    }

    private static DeviceChoice place(DeviceChooser devices, String gpu, ProcessConfig config) {
        return devices.place(CATALOGUE.find(gpu), config, Map.of());
    }

    private static String refusal(DeviceChooser devices, String gpu, ProcessConfig config) {
        return assertThrows(IllegalArgumentException.class, () -> place(devices, gpu, config))
                .getMessage();
    }

    @Test
    void anyIsWhatTheHostHas() {
        assertEquals(new DeviceChoice(EngineKind.CPU, Optional.empty()), place(NO_GPU, "any", config()));
        assertEquals(new DeviceChoice(EngineKind.CUDA, Optional.of("GPU-1")), place(TWO, "any", config()));
    }

    @Test
    void gpuFallsBackToTheCpuOnlyByConfiguration() {
        assertEquals(
                "process: this host has no A100; it has no GPU that NVIDIA's driver lists. For development,"
                        + " OUTPOST_PROCESS_GPUS=A100:cpu in the environment of the backend, worker or program that starts the"
                        + " machine computes on the processor instead.",
                refusal(NO_GPU, "A100", config()));
        assertEquals(
                "process: this host has no H100; it has NVIDIA A100-SXM4-40GB. For development,"
                        + " OUTPOST_PROCESS_GPUS=H100:cpu in the environment of the backend, worker or program that starts the"
                        + " machine computes on the processor instead.",
                refusal(TWO, "H100", config()));
        assertEquals(
                "process: this host has no GPU; it has no GPU that NVIDIA's driver lists.",
                refusal(NO_GPU, "any", config("engine", "cuda")));
        assertEquals(
                EngineKind.CPU,
                place(NO_GPU, "A100", config("gpus", "A100:cpu")).engine());
        assertEquals(
                EngineKind.REFERENCE,
                place(TWO, "H100", config("engine", "reference")).engine());
    }

    @Test
    void everyMachineHasAGpuToItself() {
        var a100 = CATALOGUE.find("A100");
        assertEquals(
                Optional.of("GPU-2"),
                TWO.place(a100, config(), Map.of("GPU-1", "one")).device());
        var taken = assertThrows(
                GpusTakenException.class, () -> TWO.place(a100, config(), Map.of("GPU-1", "one", "GPU-2", "two")));
        assertEquals(
                "process: all 2 of this host's A100 are taken, by one, two; end one of these machines, or set"
                        + " outpost.process.engine=cpu",
                taken.getMessage());
    }

    @ParameterizedTest
    @CsvSource({
        "NVIDIA A100-SXM4-40GB, A100, true",
        "NVIDIA A100-SXM4-40GB, A100-40GB, true",
        "NVIDIA A100-SXM4-40GB, A100-80GB, false",
        "NVIDIA A100 80GB PCIe, A100-80GB, true",
        "NVIDIA H100 80GB HBM3, H100, true",
        "NVIDIA L4, L4, true",
        "NVIDIA L40S, L4, false",
        "NVIDIA L40S, L40S, true",
        "Tesla T4, T4, true",
        "NVIDIA GeForce RTX 4090, RTX4090, true",
        "NVIDIA GeForce RTX 4090 D, RTX4090, false",
        "NVIDIA H200, any, true"
    })
    void aGpuIsKnownByTheNameOfItsDriver(String model, String asked, boolean isIt) {
        assertEquals(isIt, new HostGpu("GPU-0", model, Path.of("/dev/nvidia0")).is(CATALOGUE.find(asked), CATALOGUE));
    }

    @Test
    void gpusAreReadFromTheDriver(@TempDir Path folder) throws IOException {
        Path gpu = Files.createDirectories(folder.resolve("0000:01:00.0"));
        Files.writeString(gpu.resolve("information"), """
                Model: \t\t NVIDIA L4
                IRQ:   \t\t 57
                GPU UUID: \t GPU-6f0c
                Video BIOS: \t 95.04
                Device Minor: \t 3
                """);
        assertEquals(List.of(new HostGpu("GPU-6f0c", "NVIDIA L4", Path.of("/dev/nvidia3"))), HostGpus.list(folder));
        assertEquals(List.of(), HostGpus.list(folder.resolve("none")));
    }
}
