package dev.outpost.provider.k8s.desired;

import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * How nodes with GPUs of one type are labelled.
 *
 * @param products what NVIDIA's GPU feature discovery calls them: the driver's names, with dashes for blanks
 * @param gke what Google's node pools call them
 * @param aws what Karpenter and EKS call them; one name at the most
 * @param awsMemory the sizes in MiB that go with that name, where others share it
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

    /** Parts of an L4 go by its name at Amazon, with as much less memory; the whole one has been listed in two ways. */
    private static final LabelledGpu L4 =
            new LabelledGpu(List.of("NVIDIA-L4"), List.of("nvidia-l4"), List.of("l4"), List.of("22888", "24576"));

    private static final LabelledGpu H100 = new LabelledGpu(
            List.of("NVIDIA-H100-80GB-HBM3", "NVIDIA-H100-PCIe", "NVIDIA-H100-NVL"),
            List.of("nvidia-h100-80gb", "nvidia-h100-mega-80gb"),
            List.of("h100"),
            List.of());

    /** By the name of the type in the catalogue, in lower case. */
    private static final Map<String, LabelledGpu> BY_NAME = Map.ofEntries(
            Map.entry("t4", of("Tesla-T4", List.of("nvidia-tesla-t4"), "t4")),
            Map.entry("l4", L4),
            Map.entry("a10g", of("NVIDIA-A10G", List.of(), "a10g")),
            Map.entry("a100", A100_40.or(A100_80)),
            Map.entry("a100-40gb", A100_40),
            Map.entry("a100-80gb", A100_80),
            Map.entry("l40s", of("NVIDIA-L40S", List.of(), "l40s")),
            Map.entry("h100", H100),
            Map.entry("h200", of("NVIDIA-H200", List.of("nvidia-h200-141gb"), "h200")),
            Map.entry("b200", of("NVIDIA-B200", List.of("nvidia-b200"), "b200")),
            Map.entry("rtx3060", card("NVIDIA-GeForce-RTX-3060")),
            Map.entry("rtx3070", card("NVIDIA-GeForce-RTX-3070")),
            Map.entry("rtx3080", card("NVIDIA-GeForce-RTX-3080")),
            Map.entry("rtx3090", card("NVIDIA-GeForce-RTX-3090")),
            Map.entry("rtx4060", card("NVIDIA-GeForce-RTX-4060")),
            Map.entry("rtx4070", card("NVIDIA-GeForce-RTX-4070")),
            Map.entry("rtx4080", card("NVIDIA-GeForce-RTX-4080")),
            Map.entry("rtx4090", card("NVIDIA-GeForce-RTX-4090")),
            Map.entry("rtx5060", card("NVIDIA-GeForce-RTX-5060")),
            Map.entry("rtx5070", card("NVIDIA-GeForce-RTX-5070")),
            Map.entry("rtx5080", card("NVIDIA-GeForce-RTX-5080")),
            Map.entry("rtx5090", card("NVIDIA-GeForce-RTX-5090")),
            Map.entry("rtxa4000", card("NVIDIA-RTX-A4000")),
            Map.entry("rtxa5000", card("NVIDIA-RTX-A5000")),
            Map.entry("rtxa6000", card("NVIDIA-RTX-A6000")),
            Map.entry("rtx6000ada", card("NVIDIA-RTX-6000-Ada-Generation")));

    /** Of the type of that name; nothing when it is not known here. */
    static Optional<LabelledGpu> of(String gpu) {
        return Optional.ofNullable(BY_NAME.get(gpu.toLowerCase(Locale.ROOT)));
    }

    private static LabelledGpu of(String product, List<String> gke, String aws) {
        return new LabelledGpu(List.of(product), gke, List.of(aws), List.of());
    }

    /** A card that no cloud has a name for. */
    private static LabelledGpu card(String product) {
        return new LabelledGpu(List.of(product), List.of(), List.of(), List.of());
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
