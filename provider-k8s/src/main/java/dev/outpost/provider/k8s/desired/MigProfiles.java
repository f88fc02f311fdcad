package dev.outpost.provider.k8s.desired;

import java.util.List;
import java.util.Map;

/**
 * The possible slices of a device, by the names that the device plugin gives to their resources.
 *
 * @see <a href="https://docs.nvidia.com/datacenter/tesla/mig-user-guide/supported-mig-profiles.html">NVIDIA's
 *     tables</a>
 */
final class MigProfiles {
    private static final List<String> OF_40 =
            List.of("1g.5gb", "1g.5gb.me", "1g.10gb", "2g.10gb", "3g.20gb", "4g.20gb", "7g.40gb");
    private static final List<String> OF_80 =
            List.of("1g.10gb", "1g.10gb.me", "1g.20gb", "2g.20gb", "3g.40gb", "4g.40gb", "7g.80gb");
    private static final List<String> OF_94 =
            List.of("1g.12gb", "1g.12gb.me", "1g.24gb", "2g.24gb", "3g.47gb", "4g.47gb", "7g.94gb");
    private static final List<String> OF_141 =
            List.of("1g.18gb", "1g.18gb.me", "1g.35gb", "2g.35gb", "3g.71gb", "4g.71gb", "7g.141gb");
    private static final List<String> OF_180 =
            List.of("1g.23gb", "1g.23gb.me", "1g.45gb", "2g.45gb", "3g.90gb", "4g.90gb", "7g.180gb");

    private static final Map<String, List<String>> BY_PRODUCT = Map.of(
            "NVIDIA-A100-SXM4-40GB", OF_40,
            "NVIDIA-A100-PCIE-40GB", OF_40,
            "A100-SXM4-40GB", OF_40,
            "NVIDIA-A100-SXM4-80GB", OF_80,
            "NVIDIA-A100-80GB-PCIe", OF_80,
            "NVIDIA-H100-80GB-HBM3", OF_80,
            "NVIDIA-H100-PCIe", OF_80,
            "NVIDIA-H100-NVL", OF_94,
            "NVIDIA-H200", OF_141,
            "NVIDIA-B200", OF_180);

    private MigProfiles() {}

    /** Returns the slices of a product; empty if it cannot be sliced. */
    static List<String> of(String product) {
        return BY_PRODUCT.getOrDefault(product, List.of());
    }
}
