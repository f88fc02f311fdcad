package dev.outpost.provider;

import java.util.List;

/** Workstation cards, with the memory sizes in which cards of each name were sold. */
final class WorkstationGpus {
    private WorkstationGpus() {}

    static List<GpuType> list() {
        return KnownGpus.joined(List.of(ampere(), ada(), blackwell()));
    }

    private static List<GpuType> ampere() {
        return List.of(
                KnownGpus.card("RTXA2000", "8.6", KnownGpus.sizes(6, 12), "NVIDIA RTX A2000", "NVIDIA RTX A2000 12GB"),
                KnownGpus.card(
                        "RTXA2000Laptop",
                        "8.6",
                        KnownGpus.sizes(4, 8),
                        "NVIDIA RTX A2000 Laptop GPU",
                        "NVIDIA RTX A2000 8GB Laptop GPU"),
                KnownGpus.card(
                        "RTXA3000Laptop",
                        "8.6",
                        KnownGpus.sizes(6, 12),
                        "NVIDIA RTX A3000 Laptop GPU",
                        "NVIDIA RTX A3000 12GB Laptop GPU"),
                KnownGpus.card("RTXA4000", "8.6", KnownGpus.sizes(16), "NVIDIA RTX A4000"),
                KnownGpus.card("RTXA4000Laptop", "8.6", KnownGpus.sizes(8), "NVIDIA RTX A4000 Laptop GPU"),
                KnownGpus.card("RTXA4500", "8.6", KnownGpus.sizes(20), "NVIDIA RTX A4500"),
                KnownGpus.card("RTXA4500Laptop", "8.6", KnownGpus.sizes(16), "NVIDIA RTX A4500 Laptop GPU"),
                KnownGpus.card("RTXA5000", "8.6", KnownGpus.sizes(24), "NVIDIA RTX A5000"),
                KnownGpus.card("RTXA5000Laptop", "8.6", KnownGpus.sizes(16), "NVIDIA RTX A5000 Laptop GPU"),
                KnownGpus.card("RTXA5500", "8.6", KnownGpus.sizes(24), "NVIDIA RTX A5500"),
                KnownGpus.card("RTXA5500Laptop", "8.6", KnownGpus.sizes(16), "NVIDIA RTX A5500 Laptop GPU"),
                KnownGpus.card("RTXA6000", "8.6", KnownGpus.sizes(48), "NVIDIA RTX A6000"));
    }

    private static List<GpuType> ada() {
        return List.of(
                KnownGpus.card("RTX2000Ada", "8.9", KnownGpus.sizes(16), "NVIDIA RTX 2000 Ada Generation"),
                KnownGpus.card(
                        "RTX2000AdaLaptop", "8.9", KnownGpus.sizes(8), "NVIDIA RTX 2000 Ada Generation Laptop GPU"),
                KnownGpus.card(
                        "RTX3000AdaLaptop", "8.9", KnownGpus.sizes(8), "NVIDIA RTX 3000 Ada Generation Laptop GPU"),
                KnownGpus.card(
                        "RTX3500AdaLaptop", "8.9", KnownGpus.sizes(12), "NVIDIA RTX 3500 Ada Generation Laptop GPU"),
                KnownGpus.card(
                        "RTX4000Ada",
                        "8.9",
                        KnownGpus.sizes(20),
                        "NVIDIA RTX 4000 Ada Generation",
                        "NVIDIA RTX 4000 SFF Ada Generation"),
                KnownGpus.card(
                        "RTX4000AdaLaptop", "8.9", KnownGpus.sizes(12), "NVIDIA RTX 4000 Ada Generation Laptop GPU"),
                KnownGpus.card("RTX4500Ada", "8.9", KnownGpus.sizes(24), "NVIDIA RTX 4500 Ada Generation"),
                KnownGpus.card("RTX5000Ada", "8.9", KnownGpus.sizes(32), "NVIDIA RTX 5000 Ada Generation"),
                KnownGpus.card(
                        "RTX5000AdaLaptop", "8.9", KnownGpus.sizes(16), "NVIDIA RTX 5000 Ada Generation Laptop GPU"),
                KnownGpus.card("RTX5880Ada", "8.9", KnownGpus.sizes(48), "NVIDIA RTX 5880 Ada Generation"),
                KnownGpus.card("RTX6000Ada", "8.9", KnownGpus.sizes(48), "NVIDIA RTX 6000 Ada Generation"));
    }

    private static List<GpuType> blackwell() {
        return List.of(
                KnownGpus.card(
                        "RTXPRO500Laptop",
                        "12.0",
                        KnownGpus.sizes(6),
                        "NVIDIA RTX PRO 500 Blackwell Generation Laptop GPU"),
                KnownGpus.card(
                        "RTXPRO1000Laptop",
                        "12.0",
                        KnownGpus.sizes(8),
                        "NVIDIA RTX PRO 1000 Blackwell Generation Laptop GPU"),
                KnownGpus.card("RTXPRO2000", "12.0", KnownGpus.sizes(16), "NVIDIA RTX PRO 2000 Blackwell"),
                KnownGpus.card(
                        "RTXPRO2000Laptop",
                        "12.0",
                        KnownGpus.sizes(8),
                        "NVIDIA RTX PRO 2000 Blackwell Generation Laptop GPU"),
                KnownGpus.card(
                        "RTXPRO3000Laptop",
                        "12.0",
                        KnownGpus.sizes(12),
                        "NVIDIA RTX PRO 3000 Blackwell Generation Laptop GPU"),
                KnownGpus.card(
                        "RTXPRO4000",
                        "12.0",
                        KnownGpus.sizes(24),
                        "NVIDIA RTX PRO 4000 Blackwell",
                        "NVIDIA RTX PRO 4000 Blackwell SFF Edition"),
                KnownGpus.card(
                        "RTXPRO4000Laptop",
                        "12.0",
                        KnownGpus.sizes(16),
                        "NVIDIA RTX PRO 4000 Blackwell Generation Laptop GPU"),
                KnownGpus.card(
                        "RTXPRO4500",
                        "12.0",
                        KnownGpus.sizes(32),
                        "NVIDIA RTX PRO 4500 Blackwell",
                        "NVIDIA RTX PRO 4500 Blackwell Server Edition"),
                KnownGpus.card(
                        "RTXPRO5000",
                        "12.0",
                        KnownGpus.sizes(48, 72),
                        "NVIDIA RTX PRO 5000 Blackwell",
                        "NVIDIA RTX PRO 5000 72GB Blackwell"),
                KnownGpus.card(
                        "RTXPRO5000Laptop",
                        "12.0",
                        KnownGpus.sizes(24),
                        "NVIDIA RTX PRO 5000 Blackwell Generation Laptop GPU"),
                KnownGpus.card(
                        "RTXPRO6000",
                        "12.0",
                        KnownGpus.sizes(96),
                        "NVIDIA RTX PRO 6000 Blackwell Workstation Edition",
                        "NVIDIA RTX PRO 6000 Blackwell Max-Q Workstation Edition",
                        "NVIDIA RTX PRO 6000 Blackwell Server Edition"));
    }
}
