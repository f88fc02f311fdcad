package dev.outpost.provider;

import java.util.List;

/** Consumer cards, with the memory sizes in which cards of each name were sold. */
final class GeForceGpus {
    private GeForceGpus() {}

    static List<GpuType> list() {
        return KnownGpus.joined(List.of(turing(), ampere(), ada(), blackwell()));
    }

    /** Makes a card of the Turing generation. Older drivers omit the vendor's name. */
    private static GpuType turing(String name, List<Long> sizes, String model) {
        return KnownGpus.card(name, "7.5", sizes, "NVIDIA GeForce " + model, "GeForce " + model);
    }

    private static List<GpuType> turing() {
        return List.of(
                turing("RTX2060", KnownGpus.sizes(6, 12), "RTX 2060"),
                turing("RTX2060Super", KnownGpus.sizes(8), "RTX 2060 SUPER"),
                turing("RTX2070", KnownGpus.sizes(8), "RTX 2070"),
                turing("RTX2070Super", KnownGpus.sizes(8), "RTX 2070 SUPER"),
                turing("RTX2080", KnownGpus.sizes(8), "RTX 2080"),
                turing("RTX2080Super", KnownGpus.sizes(8), "RTX 2080 SUPER"),
                turing("RTX2080Ti", KnownGpus.sizes(11), "RTX 2080 Ti"));
    }

    private static List<GpuType> ampere() {
        return List.of(
                KnownGpus.card("RTX3050", "8.6", KnownGpus.sizes(6, 8), "NVIDIA GeForce RTX 3050"),
                KnownGpus.card(
                        "RTX3050Laptop",
                        "8.6",
                        KnownGpus.sizes(4, 6),
                        "NVIDIA GeForce RTX 3050 Laptop GPU",
                        "NVIDIA GeForce RTX 3050 4GB Laptop GPU",
                        "NVIDIA GeForce RTX 3050 6GB Laptop GPU"),
                KnownGpus.card("RTX3050TiLaptop", "8.6", KnownGpus.sizes(4), "NVIDIA GeForce RTX 3050 Ti Laptop GPU"),
                KnownGpus.card("RTX3060", "8.6", KnownGpus.sizes(8, 12), "NVIDIA GeForce RTX 3060"),
                KnownGpus.card("RTX3060Ti", "8.6", KnownGpus.sizes(8), "NVIDIA GeForce RTX 3060 Ti"),
                KnownGpus.card("RTX3060Laptop", "8.6", KnownGpus.sizes(6), "NVIDIA GeForce RTX 3060 Laptop GPU"),
                KnownGpus.card("RTX3070", "8.6", KnownGpus.sizes(8), "NVIDIA GeForce RTX 3070"),
                KnownGpus.card("RTX3070Ti", "8.6", KnownGpus.sizes(8), "NVIDIA GeForce RTX 3070 Ti"),
                KnownGpus.card("RTX3070Laptop", "8.6", KnownGpus.sizes(8), "NVIDIA GeForce RTX 3070 Laptop GPU"),
                KnownGpus.card("RTX3070TiLaptop", "8.6", KnownGpus.sizes(8), "NVIDIA GeForce RTX 3070 Ti Laptop GPU"),
                KnownGpus.card("RTX3080", "8.6", KnownGpus.sizes(10, 12), "NVIDIA GeForce RTX 3080"),
                KnownGpus.card("RTX3080Ti", "8.6", KnownGpus.sizes(12), "NVIDIA GeForce RTX 3080 Ti"),
                KnownGpus.card("RTX3080Laptop", "8.6", KnownGpus.sizes(8, 16), "NVIDIA GeForce RTX 3080 Laptop GPU"),
                KnownGpus.card("RTX3080TiLaptop", "8.6", KnownGpus.sizes(16), "NVIDIA GeForce RTX 3080 Ti Laptop GPU"),
                KnownGpus.card("RTX3090", "8.6", KnownGpus.sizes(24), "NVIDIA GeForce RTX 3090"),
                KnownGpus.card("RTX3090Ti", "8.6", KnownGpus.sizes(24), "NVIDIA GeForce RTX 3090 Ti"));
    }

    private static List<GpuType> ada() {
        return List.of(
                KnownGpus.card("RTX4050Laptop", "8.9", KnownGpus.sizes(6), "NVIDIA GeForce RTX 4050 Laptop GPU"),
                KnownGpus.card("RTX4060", "8.9", KnownGpus.sizes(8), "NVIDIA GeForce RTX 4060"),
                KnownGpus.card("RTX4060Ti", "8.9", KnownGpus.sizes(8, 16), "NVIDIA GeForce RTX 4060 Ti"),
                KnownGpus.card("RTX4060Laptop", "8.9", KnownGpus.sizes(8), "NVIDIA GeForce RTX 4060 Laptop GPU"),
                KnownGpus.card("RTX4070", "8.9", KnownGpus.sizes(12), "NVIDIA GeForce RTX 4070"),
                KnownGpus.card("RTX4070Super", "8.9", KnownGpus.sizes(12), "NVIDIA GeForce RTX 4070 SUPER"),
                KnownGpus.card("RTX4070Ti", "8.9", KnownGpus.sizes(12), "NVIDIA GeForce RTX 4070 Ti"),
                KnownGpus.card("RTX4070TiSuper", "8.9", KnownGpus.sizes(16), "NVIDIA GeForce RTX 4070 Ti SUPER"),
                KnownGpus.card("RTX4070Laptop", "8.9", KnownGpus.sizes(8), "NVIDIA GeForce RTX 4070 Laptop GPU"),
                KnownGpus.card("RTX4080", "8.9", KnownGpus.sizes(16), "NVIDIA GeForce RTX 4080"),
                KnownGpus.card("RTX4080Super", "8.9", KnownGpus.sizes(16), "NVIDIA GeForce RTX 4080 SUPER"),
                KnownGpus.card("RTX4080Laptop", "8.9", KnownGpus.sizes(12), "NVIDIA GeForce RTX 4080 Laptop GPU"),
                KnownGpus.card("RTX4090", "8.9", KnownGpus.sizes(24), "NVIDIA GeForce RTX 4090"),
                KnownGpus.card("RTX4090D", "8.9", KnownGpus.sizes(24), "NVIDIA GeForce RTX 4090 D"),
                KnownGpus.card("RTX4090Laptop", "8.9", KnownGpus.sizes(16), "NVIDIA GeForce RTX 4090 Laptop GPU"));
    }

    private static List<GpuType> blackwell() {
        return List.of(
                KnownGpus.card("RTX5050", "12.0", KnownGpus.sizes(8), "NVIDIA GeForce RTX 5050"),
                KnownGpus.card("RTX5050Laptop", "12.0", KnownGpus.sizes(8), "NVIDIA GeForce RTX 5050 Laptop GPU"),
                KnownGpus.card("RTX5060", "12.0", KnownGpus.sizes(8), "NVIDIA GeForce RTX 5060"),
                KnownGpus.card("RTX5060Ti", "12.0", KnownGpus.sizes(8, 16), "NVIDIA GeForce RTX 5060 Ti"),
                KnownGpus.card("RTX5060Laptop", "12.0", KnownGpus.sizes(8), "NVIDIA GeForce RTX 5060 Laptop GPU"),
                KnownGpus.card("RTX5070", "12.0", KnownGpus.sizes(12), "NVIDIA GeForce RTX 5070"),
                KnownGpus.card("RTX5070Ti", "12.0", KnownGpus.sizes(16), "NVIDIA GeForce RTX 5070 Ti"),
                KnownGpus.card("RTX5070Laptop", "12.0", KnownGpus.sizes(8), "NVIDIA GeForce RTX 5070 Laptop GPU"),
                KnownGpus.card("RTX5070TiLaptop", "12.0", KnownGpus.sizes(12), "NVIDIA GeForce RTX 5070 Ti Laptop GPU"),
                KnownGpus.card("RTX5080", "12.0", KnownGpus.sizes(16), "NVIDIA GeForce RTX 5080"),
                KnownGpus.card("RTX5080Laptop", "12.0", KnownGpus.sizes(16), "NVIDIA GeForce RTX 5080 Laptop GPU"),
                KnownGpus.card("RTX5090", "12.0", KnownGpus.sizes(32), "NVIDIA GeForce RTX 5090"),
                KnownGpus.card(
                        "RTX5090D",
                        "12.0",
                        KnownGpus.sizes(24, 32),
                        "NVIDIA GeForce RTX 5090 D",
                        "NVIDIA GeForce RTX 5090 D v2"),
                KnownGpus.card("RTX5090Laptop", "12.0", KnownGpus.sizes(24), "NVIDIA GeForce RTX 5090 Laptop GPU"));
    }
}
