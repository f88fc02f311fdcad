package dev.outpost.provider;

import java.util.List;
import java.util.stream.LongStream;

/** The GPUs that the catalogue has without any configuration. */
final class KnownGpus {
    private KnownGpus() {}

    static List<GpuType> list() {
        return List.of(
                gpu("T4", "NVIDIA T4", "7.5", sizes(16), "Tesla-T4"),
                gpu("L4", "NVIDIA L4", "8.9", sizes(24), "NVIDIA-L4"),
                gpu("A10G", "NVIDIA A10G", "8.6", sizes(24), "NVIDIA-A10G"),
                gpu("A100", "NVIDIA A100, either size", "8.0", sizes(40, 80)),
                gpu(
                        "A100-40GB",
                        "NVIDIA A100 40 GB",
                        "8.0",
                        sizes(40),
                        "NVIDIA-A100-SXM4-40GB",
                        "NVIDIA-A100-PCIE-40GB",
                        "A100-SXM4-40GB"),
                gpu(
                        "A100-80GB",
                        "NVIDIA A100 80 GB",
                        "8.0",
                        sizes(80),
                        "NVIDIA-A100-SXM4-80GB",
                        "NVIDIA-A100-80GB-PCIe"),
                gpu("L40S", "NVIDIA L40S", "8.9", sizes(48), "NVIDIA-L40S"),
                gpu(
                        "H100",
                        "NVIDIA H100",
                        "9.0",
                        sizes(80, 94),
                        "H100-80GB",
                        "NVIDIA-H100-80GB-HBM3",
                        "NVIDIA-H100-PCIe",
                        "NVIDIA-H100-NVL"),
                gpu("H200", "NVIDIA H200", "9.0", sizes(141), "H200-141GB", "NVIDIA-H200"),
                gpu("B200", "NVIDIA B200", "10.0", sizes(192), "B200-192GB", "NVIDIA-B200"),
                rtx("RTX3060", "3060", "8.6", 8, 12),
                rtx("RTX3070", "3070", "8.6", 8),
                rtx("RTX3080", "3080", "8.6", 10, 12),
                rtx("RTX3090", "3090", "8.6", 24),
                rtx("RTX4060", "4060", "8.9", 8),
                rtx("RTX4070", "4070", "8.9", 12),
                rtx("RTX4080", "4080", "8.9", 16),
                rtx("RTX4090", "4090", "8.9", 24),
                rtx("RTX5060", "5060", "12.0", 8),
                rtx("RTX5070", "5070", "12.0", 12),
                rtx("RTX5080", "5080", "12.0", 16),
                rtx("RTX5090", "5090", "12.0", 32),
                gpu("RTXA6000", "NVIDIA RTX A6000", "8.6", sizes(48), "RTX-A6000", "NVIDIA-RTX-A6000"),
                gpu("RTX6000-Ada", "NVIDIA RTX 6000 Ada", "8.9", sizes(48), "NVIDIA-RTX-6000-Ada-Generation"),
                gpu(
                        "RTX-PRO-6000",
                        "NVIDIA RTX PRO 6000 Blackwell",
                        "12.0",
                        sizes(96),
                        "NVIDIA-RTX-PRO-6000-Blackwell-Workstation-Edition"));
    }

    /** A card of the GeForce series. */
    private static GpuType rtx(String name, String number, String capability, long... gigabytes) {
        return gpu(
                name,
                "NVIDIA GeForce RTX " + number,
                capability,
                sizes(gigabytes),
                "RTX-" + number,
                "NVIDIA-GeForce-RTX-" + number);
    }

    private static GpuType gpu(
            String name, String marketingName, String capability, List<Long> memory, String... aliases) {
        return new GpuType(name, List.of(aliases), memory, ComputeCapability.parse(capability), marketingName);
    }

    private static List<Long> sizes(long... gigabytes) {
        return LongStream.of(gigabytes)
                .mapToObj(size -> size * GpuType.GIGABYTE)
                .toList();
    }
}
