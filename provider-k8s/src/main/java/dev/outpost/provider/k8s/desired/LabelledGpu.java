package dev.outpost.provider.k8s.desired;

import dev.outpost.provider.GpuCatalogue;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * The labels of nodes with GPUs of one type.
 *
 * @param products the names in NVIDIA's GPU feature discovery: the driver's names, with dashes for blanks
 * @param gke the names in Google's node pools
 * @param aws the names in Karpenter and EKS; one at most
 * @param awsMemory the memory sizes in MiB of this type, if other types have the same name there
 */
record LabelledGpu(List<String> products, List<String> gke, List<String> aws, List<String> awsMemory) {
    private static final LabelledGpu A100_40 = new LabelledGpu(
            List.of("NVIDIA-A100-SXM4-40GB", "NVIDIA-A100-PCIE-40GB", "A100-SXM4-40GB"),
            List.of("nvidia-tesla-a100"),
            List.of("a100"),
            List.of("40960"));

    private static final LabelledGpu A100_80 = new LabelledGpu(
            List.of("NVIDIA-A100-SXM4-80GB", "NVIDIA-A100-80GB-PCIe"),
            List.of("nvidia-a100-80gb"),
            List.of("a100"),
            List.of("81920"));

    /**
     * At Amazon, a fraction of an L4 has the same name and less memory. The whole L4 is listed with two memory sizes.
     */
    private static final LabelledGpu L4 =
            new LabelledGpu(List.of("NVIDIA-L4"), List.of("nvidia-l4"), List.of("l4"), List.of("22888", "24576"));

    private static final LabelledGpu H100 = new LabelledGpu(
            List.of("NVIDIA-H100-80GB-HBM3", "NVIDIA-H100-PCIe", "NVIDIA-H100-NVL"),
            List.of("nvidia-h100-80gb", "nvidia-h100-mega-80gb"),
            List.of("h100"),
            List.of());

    private static final LabelledGpu H200 = new LabelledGpu(
            List.of("NVIDIA-H200", "NVIDIA-H200-NVL"), List.of("nvidia-h200-141gb"), List.of("h200"), List.of());

    /** The labels by the catalogue's name of the type, in lower case. */
    private static final Map<String, LabelledGpu> BY_NAME = Map.ofEntries(
            Map.entry("t4", of("Tesla-T4", List.of("nvidia-tesla-t4"), "t4")),
            Map.entry("l4", L4),
            Map.entry("a10g", of("NVIDIA-A10G", List.of(), "a10g")),
            Map.entry("a100", A100_40.or(A100_80)),
            Map.entry("a100-40gb", A100_40),
            Map.entry("a100-80gb", A100_80),
            Map.entry("l40s", of("NVIDIA-L40S", List.of(), "l40s")),
            Map.entry("h100", H100),
            Map.entry("h200", H200),
            Map.entry("b200", of("NVIDIA-B200", List.of("nvidia-b200"), "b200")));

    /** Finds the labels of a type by its name; empty if they are unknown. */
    static Optional<LabelledGpu> of(String gpu) {
        return Optional.ofNullable(BY_NAME.get(gpu.toLowerCase(Locale.ROOT))).or(() -> card(gpu));
    }

    private static LabelledGpu of(String product, List<String> gke, String aws) {
        return new LabelledGpu(List.of(product), gke, List.of(aws), List.of());
    }

    /** Makes the labels of a consumer or workstation card. No cloud has a name for it, and its aliases are the driver's names. */
    private static Optional<LabelledGpu> card(String gpu) {
        return GpuCatalogue.standard().types().stream()
                .filter(type -> type.name().equalsIgnoreCase(gpu))
                .map(type -> new LabelledGpu(type.aliases(), List.of(), List.of(), List.of()))
                .findFirst();
    }

    private LabelledGpu or(LabelledGpu other) {
        return new LabelledGpu(
                union(products, other.products),
                union(gke, other.gke),
                union(aws, other.aws),
                union(awsMemory, other.awsMemory));
    }

    private static List<String> union(List<String> left, List<String> right) {
        return Stream.concat(left.stream(), right.stream()).distinct().toList();
    }
}
