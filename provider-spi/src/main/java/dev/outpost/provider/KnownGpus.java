package dev.outpost.provider;

import java.util.List;
import java.util.stream.LongStream;
import java.util.stream.Stream;

/** The GPUs that the catalogue has without any configuration. */
final class KnownGpus {
    private KnownGpus() {}

    static List<GpuType> list() {
        return joined(List.of(dataCentre(), GeForceGpus.list(), WorkstationGpus.list()));
    }

    static List<GpuType> joined(List<List<GpuType>> lists) {
        return lists.stream().flatMap(List::stream).toList();
    }

    private static List<GpuType> dataCentre() {
        return List.of(
                gpu("T4", "NVIDIA T4", "7.5", sizes(16), "Tesla-T4"),
                gpu("L4", "NVIDIA L4", "8.9", sizes(24), "NVIDIA-L4"),
                gpu("A10", "NVIDIA A10", "8.6", sizes(24), "NVIDIA-A10"),
                gpu("A10G", "NVIDIA A10G", "8.6", sizes(24), "NVIDIA-A10G"),
                gpu("A30", "NVIDIA A30", "8.0", sizes(24), "NVIDIA-A30"),
                gpu("A40", "NVIDIA A40", "8.6", sizes(48), "NVIDIA-A40"),
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
                gpu("L40", "NVIDIA L40", "8.9", sizes(48), "NVIDIA-L40"),
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
                gpu("GH200", "NVIDIA GH200", "9.0", sizes(96, 144), "NVIDIA-GH200-480GB", "NVIDIA-GH200-144G-HBM3e"),
                gpu("H200", "NVIDIA H200", "9.0", sizes(141), "H200-141GB", "NVIDIA-H200", "NVIDIA-H200-NVL"),
                gpu("B200", "NVIDIA B200", "10.0", sizes(192), "B200-192GB", "NVIDIA-B200"));
    }

    private static GpuType gpu(
            String name, String marketingName, String capability, List<Long> memory, String... aliases) {
        return new GpuType(name, List.of(aliases), memory, ComputeCapability.parse(capability), marketingName);
    }

    /**
     * Makes a card whose aliases are derived from the driver's names.
     *
     * @param drivers names that the driver prints, the plainest first
     */
    static GpuType card(String name, String capability, List<Long> memory, String... drivers) {
        String[] labels =
                Stream.of(drivers).map(driver -> driver.replace(' ', '-')).toArray(String[]::new);
        return gpu(name, drivers[0], capability, memory, labels);
    }

    static List<Long> sizes(long... gigabytes) {
        return LongStream.of(gigabytes)
                .mapToObj(size -> size * GpuType.GIGABYTE)
                .toList();
    }
}
