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
                gpu("RTX3060", "NVIDIA GeForce RTX 3060", "8.6", sizes(12), "NVIDIA-GeForce-RTX-3060"),
                gpu("RTX3070", "NVIDIA GeForce RTX 3070", "8.6", sizes(8), "NVIDIA-GeForce-RTX-3070"),
                gpu("RTX3080", "NVIDIA GeForce RTX 3080", "8.6", sizes(10, 12), "NVIDIA-GeForce-RTX-3080"),
                gpu("RTX3090", "NVIDIA GeForce RTX 3090", "8.6", sizes(24), "NVIDIA-GeForce-RTX-3090"),
                gpu("RTX4060", "NVIDIA GeForce RTX 4060", "8.9", sizes(8), "NVIDIA-GeForce-RTX-4060"),
                gpu("RTX4070", "NVIDIA GeForce RTX 4070", "8.9", sizes(12), "NVIDIA-GeForce-RTX-4070"),
                gpu("RTX4080", "NVIDIA GeForce RTX 4080", "8.9", sizes(16), "NVIDIA-GeForce-RTX-4080"),
                gpu("RTX4090", "NVIDIA GeForce RTX 4090", "8.9", sizes(24), "NVIDIA-GeForce-RTX-4090"),
                gpu("RTX5060", "NVIDIA GeForce RTX 5060", "12.0", sizes(8), "NVIDIA-GeForce-RTX-5060"),
                gpu("RTX5070", "NVIDIA GeForce RTX 5070", "12.0", sizes(12), "NVIDIA-GeForce-RTX-5070"),
                gpu("RTX5080", "NVIDIA GeForce RTX 5080", "12.0", sizes(16), "NVIDIA-GeForce-RTX-5080"),
                gpu("RTX5090", "NVIDIA GeForce RTX 5090", "12.0", sizes(32), "NVIDIA-GeForce-RTX-5090"),
                gpu("RTXA4000", "NVIDIA RTX A4000", "8.6", sizes(16), "NVIDIA-RTX-A4000"),
                gpu("RTXA5000", "NVIDIA RTX A5000", "8.6", sizes(24), "NVIDIA-RTX-A5000"),
                gpu("RTXA6000", "NVIDIA RTX A6000", "8.6", sizes(48), "NVIDIA-RTX-A6000"),
                gpu(
                        "RTX6000Ada",
                        "NVIDIA RTX 6000 Ada Generation",
                        "8.9",
                        sizes(48),
                        "NVIDIA-RTX-6000-Ada-Generation"));
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
